package io.warpcodec.benchmarks.cluster;

import io.warpcodec.benchmarks.job.LinesInputFormat;
import io.warpcodec.benchmarks.job.TextCodecs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TaskReport;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;

/**
 * Runs one job on a cluster and measures it.
 *
 * @param taskOptions Java options of tasks
 */
record MapReduceRun(YarnSite site, YarnCluster cluster, TextCodecs codecs, TextFolders input, String taskOptions) {
    static final String HEADER = "contender,work,round,wall_s,maps_s,map_s,most_map_s,raw_gb_s,maps_raw_gb_s,"
            + "tasks_cpu_s,containers_cpu_s,daemons_cpu_s,service_cpu_s,out_bytes,gpu_chunks,cpu_chunks,by_cpu,answer";

    private static final String WRITE = "write";

    /** The line of a job that reads or writes. */
    String measure(Contender contender, String work, int round) throws Exception {
        boolean writes = work.equals(WRITE);
        Path output = site.folder().resolve("out-" + contender.word() + "-" + round);
        Job job = job(contender, writes, output);
        double containers = cluster.containerSeconds();
        double daemons = cluster.daemonSeconds();
        double service = cluster.serviceSeconds();
        long start = System.nanoTime();
        if (!job.waitForCompletion(false)) {
            throw new IllegalStateException(contender.word() + ", " + work + ": the job failed: "
                    + job.getStatus().getFailureInfo());
        }
        double wall = (System.nanoTime() - start) / 1e9;
        Counters counters = job.getCounters();
        TaskReport[] maps = job.getTaskReports(TaskType.MAP);
        cluster.awaitTasks();
        double mapsSeconds =
                (Arrays.stream(maps).mapToLong(TaskReport::getFinishTime).max().orElseThrow()
                                - Arrays.stream(maps)
                                        .mapToLong(TaskReport::getStartTime)
                                        .min()
                                        .orElseThrow())
                        / 1e3;
        String line = String.format(
                Locale.ROOT,
                "%s,%s,%d,%.2f,%.2f,%.2f,%.2f,%.3f,%.3f,%.1f,%.1f,%.1f,%.2f,%d,%s,%s",
                contender.word(),
                work,
                round,
                wall,
                mapsSeconds,
                Arrays.stream(maps).mapToDouble(MapReduceRun::seconds).average().orElseThrow(),
                Arrays.stream(maps).mapToDouble(MapReduceRun::seconds).max().orElseThrow(),
                input.rawBytes() / wall / 1e9,
                input.rawBytes() / mapsSeconds / 1e9,
                counters.findCounter(TaskCounter.CPU_MILLISECONDS).getValue() / 1e3,
                cluster.containerSeconds() - containers,
                cluster.daemonSeconds() - daemons,
                cluster.serviceSeconds() - service,
                writes ? TextFolders.bytes(output, "part-") : 0,
                CodecCounters.columns(codecCounters(counters)),
                writes ? TextFolders.decoded(output, codecs) : flags(counters));
        if (writes) {
            TextFolders.delete(output);
        }
        return line;
    }

    private Job job(Contender contender, boolean writes, Path output) throws IOException {
        Configuration conf = new Configuration();
        cluster.configuration().forEach(entry -> conf.set(entry.getKey(), entry.getValue()));
        contender
                .hadoopSettings(codecs, conf.get("yarn.nodemanager.aux-services.warpcodec.node.folder"))
                .forEach(conf::set);
        conf.set("mapreduce.map.java.opts", site.taskOptions(taskOptions));
        conf.setLong("mapreduce.input.fileinputformat.split.minsize", Long.MAX_VALUE);
        Job job = Job.getInstance(conf, contender.word());
        job.setInputFormatClass(LinesInputFormat.class);
        job.setMapperClass(writes ? CopyingMapper.class : CountingMapper.class);
        job.setOutputKeyClass(NullWritable.class);
        job.setOutputValueClass(Text.class);
        job.setNumReduceTasks(0);
        FileInputFormat.addInputPath(
                job, new org.apache.hadoop.fs.Path((writes ? input.text() : input.compressed()).toUri()));
        if (writes) {
            job.setOutputFormatClass(LinesOutputFormat.class);
            FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(output.toUri()));
            FileOutputFormat.setCompressOutput(job, true);
            FileOutputFormat.setOutputCompressorClass(job, contender.codec(codecs));
        } else {
            job.setOutputFormatClass(NullOutputFormat.class);
        }
        return job;
    }

    private static double seconds(TaskReport task) {
        return (task.getFinishTime() - task.getStartTime()) / 1e3;
    }

    private static Map<String, Long> codecCounters(Counters counters) {
        Map<String, Long> counts = new TreeMap<>();
        for (Counter counter : counters.getGroup(CountingMapper.CODECS)) {
            counts.put(counter.getName(), counter.getValue());
        }
        return counts;
    }

    private static String flags(Counters counters) {
        Map<String, Long> flags = new TreeMap<>();
        for (Counter counter : counters.getGroup(CountingMapper.FLAGS)) {
            flags.put(counter.getName(), counter.getValue());
        }
        StringJoiner answer = new StringJoiner(" ");
        flags.forEach((flag, count) -> answer.add(flag + "/" + count));
        return answer.toString();
    }
}
