package io.warpcodec.benchmarks.cluster;

import java.io.IOException;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;

/** Hands on what it reads. */
public final class CopyingMapper extends Mapper<LongWritable, Text, NullWritable, Text> {
    @Override
    protected void map(LongWritable offset, Text lines, Context context) throws IOException, InterruptedException {
        context.write(NullWritable.get(), lines);
    }
}
