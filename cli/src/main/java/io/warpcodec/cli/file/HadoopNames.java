package io.warpcodec.cli.file;

import io.warpcodec.cli.file.system.FileOperations;
import io.warpcodec.cli.file.system.FileProblem;
import io.warpcodec.cli.file.system.HadoopFiles;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** The way in which a person names a file of one of Hadoop's file systems: by its URI. */
final class HadoopNames {

    private HadoopNames() {}

    static Location of(String name) throws IOException {
        try {
            Configuration conf = new Configuration();
            // A call that is interrupted ends its outputs itself (Publication) and needs the file system for it.
            conf.setBoolean("fs.automatic.close", false);
            Path path = new Path(name);
            FileOperations<Path> files = Volumes.of(new HadoopFiles(path.getFileSystem(conf)));
            return new FileLocation<>(files, path, name, FileLocation.PASTED);
        } catch (IllegalArgumentException wrong) {
            throw new FileProblem(name, String.valueOf(wrong.getMessage()));
        } catch (IOException failure) {
            throw new FileProblem(name, failure);
        } catch (RuntimeException failure) {
            throw withoutConnector(name, failure);
        }
    }

    /** Of a store whose connector is not on the class path Hadoop knows the class, and speaks of nothing else. */
    private static FileProblem withoutConnector(String name, RuntimeException failure) {
        if (!(failure.getCause() instanceof ClassNotFoundException)) {
            throw failure;
        }
        String scheme = name.substring(0, name.indexOf(':'));
        return new FileProblem(
                name,
                "the connector for " + scheme
                        + ":// is missing; WARPCODEC_CLASSPATH=JARS names it and what it needs, for s3a "
                        + "hadoop-aws");
    }
}
