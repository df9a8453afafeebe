package io.warpcodec.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/**
 * The MapReduce job of the demo: text in, one record per row through the (compressed) shuffle, one (compressed) file
 * with the answer out. There is no combiner on purpose: every row crosses the codec once more as map output.
 */
final class LineitemMapReduce {

    /** Key of the records that carry a mapper's row count, byte count and row hash. */
    private static final String TOTALS = "*";

    private LineitemMapReduce() {}

    /** What a job found, and into how many splits its input was cut. */
    record Result(String answer, int splits) {}

    /**
     * Runs the job over {@code input}; the codecs of {@code format} (null: none) compress map output and job output.
     */
    static Result run(Configuration base, Path input, Path output, DemoFormat format) throws Exception {
        Configuration conf = new Configuration(base);
        if (format != null) {
            conf.setBoolean("mapreduce.map.output.compress", true);
            conf.set("mapreduce.map.output.compress.codec", format.mapOutputCodec());
            conf.setBoolean(FileOutputFormat.COMPRESS, true);
            conf.set(FileOutputFormat.COMPRESS_CODEC, format.codec());
        }
        Job job = Job.getInstance(conf, "warpcodec demo " + input.getName());
        job.setMapperClass(RowMapper.class);
        job.setReducerClass(SumReducer.class);
        job.setNumReduceTasks(1);
        job.setMapOutputKeyClass(Text.class);
        job.setMapOutputValueClass(Text.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(NullWritable.class);
        job.setInputFormatClass(TextInputFormat.class);
        FileInputFormat.addInputPath(job, input);
        FileOutputFormat.setOutputPath(job, output);
        if (!job.waitForCompletion(false)) {
            throw new IOException("MapReduce job over " + input + " failed: "
                    + job.getStatus().getFailureInfo());
        }
        long launched =
                job.getCounters().findCounter(JobCounter.TOTAL_LAUNCHED_MAPS).getValue();
        int splits = (int) Math.max(launched, job.getTaskReports(TaskType.MAP).length);
        return new Result(readAnswer(conf, output), splits);
    }

    private static String readAnswer(Configuration conf, Path output) throws IOException {
        FileSystem fileSystem = output.getFileSystem(conf);
        CompressionCodecFactory codecs = new CompressionCodecFactory(conf);
        StringBuilder answer = new StringBuilder();
        for (FileStatus status : fileSystem.listStatus(output)) {
            Path file = status.getPath();
            if (file.getName().startsWith("_")) {
                continue;
            }
            CompressionCodec codec = codecs.getCodec(file);
            try (InputStream raw = fileSystem.open(file);
                    InputStream in = codec == null ? raw : codec.createInputStream(raw)) {
                answer.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return answer.toString().trim();
    }

    /** Emits the group and measures of each row that counts, and at the end the totals of all. */
    public static final class RowMapper extends Mapper<LongWritable, Text, Text, Text> {
        private final LineitemSummary totals = new LineitemSummary();
        private final LineitemSummary.Row row = new LineitemSummary.Row();
        private final Text key = new Text();
        private final Text value = new Text();

        @Override
        protected void map(LongWritable position, Text line, Context context) throws IOException, InterruptedException {
            totals.countRow(line.getBytes(), 0, line.getLength());
            if (row.parse(line.getBytes(), 0, line.getLength())) {
                key.set(row.group);
                value.set(row.measures[0] + " " + row.measures[1] + " " + row.measures[2] + " " + row.measures[3]);
                context.write(key, value);
            }
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            key.set(TOTALS);
            value.set(totals.rows() + " " + totals.bytes() + " " + totals.hash());
            context.write(key, value);
        }
    }

    /** Adds everything up and writes the answer as {@link LineitemSummary#toString} has it. */
    public static final class SumReducer extends Reducer<Text, Text, Text, NullWritable> {
        private final LineitemSummary sum = new LineitemSummary();

        @Override
        protected void reduce(Text group, Iterable<Text> values, Context context) {
            String name = group.toString();
            for (Text value : values) {
                long[] numbers = numbers(value);
                if (name.equals(TOTALS)) {
                    sum.addTotals(numbers[0], numbers[1], numbers[2]);
                } else {
                    sum.addToGroup(name, numbers);
                }
            }
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            context.write(new Text(sum.toString()), NullWritable.get());
        }

        private static long[] numbers(Text value) {
            String[] words = value.toString().split(" ");
            long[] numbers = new long[words.length];
            for (int i = 0; i < words.length; i++) {
                numbers[i] = Long.parseLong(words[i]);
            }
            return numbers;
        }
    }
}
