package io.warpcodec.benchmarks.job;

import java.io.IOException;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.LineRecordReader;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;

/**
 * Hadoop's text, up to a thousand lines to a record, each with its end. For each record a map task asks its process
 * for file system statistics, under a lock: with a line to a record sixteen tasks in one process come to 0.6 million
 * lines a second, whatever reads the file.
 */
public final class LinesInputFormat extends TextInputFormat {
    private static final int MOST_LINES = 1000;
    private static final byte[] LINE_END = {'\n'};

    @Override
    public RecordReader<LongWritable, Text> createRecordReader(InputSplit split, TaskAttemptContext context) {
        return new LinesReader();
    }

    /** The key is the position of the first line. */
    private static final class LinesReader extends RecordReader<LongWritable, Text> {
        private final LineRecordReader lines = new LineRecordReader();
        private final LongWritable position = new LongWritable();
        private final Text record = new Text();

        @Override
        public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
            lines.initialize(split, context);
        }

        @Override
        public boolean nextKeyValue() throws IOException {
            record.clear();
            for (int count = 0; count < MOST_LINES && lines.nextKeyValue(); count++) {
                if (count == 0) {
                    position.set(lines.getCurrentKey().get());
                }
                Text line = lines.getCurrentValue();
                record.append(line.getBytes(), 0, line.getLength());
                record.append(LINE_END, 0, 1);
            }
            return record.getLength() > 0;
        }

        @Override
        public LongWritable getCurrentKey() {
            return position;
        }

        @Override
        public Text getCurrentValue() {
            return record;
        }

        @Override
        public float getProgress() throws IOException {
            return lines.getProgress();
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }
}
