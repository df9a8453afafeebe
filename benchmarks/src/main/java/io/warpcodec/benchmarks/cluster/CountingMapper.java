package io.warpcodec.benchmarks.cluster;

import io.warpcodec.benchmarks.job.FlagCounts;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;

/** Reads, and leaves the lines by return flag and what our codecs have counted in the job's counters. */
public final class CountingMapper extends Mapper<LongWritable, Text, NullWritable, Text> {
    static final String FLAGS = "flags";
    static final String CODECS = "codecs";

    private final FlagCounts counts = new FlagCounts();

    @Override
    protected void map(LongWritable offset, Text lines, Context context) {
        counts.add(lines.getBytes(), lines.getLength());
    }

    @Override
    protected void cleanup(Context context) {
        counts.byFlag().forEach((flag, count) -> context.getCounter(FLAGS, flag).increment(count));
        CodecCounters.ofThisProcess()
                .forEach((name, count) -> context.getCounter(CODECS, name).increment(count));
    }
}
