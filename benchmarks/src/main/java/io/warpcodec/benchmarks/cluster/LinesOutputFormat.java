package io.warpcodec.benchmarks.cluster;

import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Writes records that are whole lines, by the job's codec, as Hadoop's text output does. When a file is complete it
 * counts what our codecs have counted.
 */
public final class LinesOutputFormat extends FileOutputFormat<NullWritable, Text> {
    @Override
    public RecordWriter<NullWritable, Text> getRecordWriter(TaskAttemptContext context) throws IOException {
        Configuration conf = context.getConfiguration();
        CompressionCodec codec = ReflectionUtils.newInstance(getOutputCompressorClass(context, GzipCodec.class), conf);
        Path file = getDefaultWorkFile(context, codec.getDefaultExtension());
        DataOutputStream out = new DataOutputStream(
                codec.createOutputStream(file.getFileSystem(conf).create(file, false)));
        return new LinesWriter(out);
    }

    private static final class LinesWriter extends RecordWriter<NullWritable, Text> {
        private final DataOutputStream out;

        private LinesWriter(DataOutputStream out) {
            this.out = out;
        }

        @Override
        public void write(NullWritable nothing, Text lines) throws IOException {
            out.write(lines.getBytes(), 0, lines.getLength());
        }

        @Override
        public void close(TaskAttemptContext context) throws IOException {
            out.close();
            if (context instanceof TaskInputOutputContext<?, ?, ?, ?> task) {
                CodecCounters.ofThisProcess()
                        .forEach((name, count) ->
                                task.getCounter(CountingMapper.CODECS, name).increment(count));
            }
        }
    }
}
