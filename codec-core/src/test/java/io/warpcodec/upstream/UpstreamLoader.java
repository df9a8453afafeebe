package io.warpcodec.upstream;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.jar.JarEntry;

/**
 * A world of its own for the tests of another project: it loads the whole class path of this JVM again, and gives the
 * classes of published test jars ({@code *-tests.jar}) the names of a {@link Redirection}. So the tests run as they
 * were published, with access to everything in their packages, on the project's own classes; only the codecs that
 * they name are ours.
 *
 * <p>JUnit is shared with the JVM's class path, because it is what starts the tests. Files in test jars are copied
 * into a folder when they are asked for, since the tests open them as files; what lies in that folder comes first,
 * which is how a test run is given a {@code core-site.xml}. Thread-safe.
 */
public final class UpstreamLoader extends URLClassLoader {
    private static final List<String> SHARED =
            List.of("org.junit.", "junit.", "org.hamcrest.", "org.opentest4j.", "org.apiguardian.");
    private static final String TEST_JAR = "-tests.jar!/";

    static {
        registerAsParallelCapable();
    }

    private final Path folder;
    private final Redirection redirection;
    private final Set<String> alsoRedirected;

    /**
     * @param folder where files of test jars go; its files hide those of the class path
     * @param alsoRedirected classes outside test jars that are given the other names too
     */
    public UpstreamLoader(Path folder, Redirection redirection, Set<String> alsoRedirected) {
        super(urls(folder), ClassLoader.getPlatformClassLoader());
        this.folder = folder;
        this.redirection = redirection;
        this.alsoRedirected = Set.copyOf(alsoRedirected);
    }

    private static URL[] urls(Path folder) {
        List<Path> entries = new ArrayList<>(List.of(folder));
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        for (String entry : classPath.split(File.pathSeparator)) {
            entries.add(Path.of(entry));
        }
        return entries.stream().map(UpstreamLoader::url).toArray(URL[]::new);
    }

    private static URL url(Path entry) {
        try {
            return entry.toUri().toURL();
        } catch (MalformedURLException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (SHARED.stream().anyMatch(name::startsWith)) {
            return UpstreamLoader.class.getClassLoader().loadClass(name);
        }
        return super.loadClass(name, resolve);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        URL file = super.findResource(name.replace('.', '/') + ".class");
        if (file == null || !(redirected(name, file) || redirection.leadsTo(name))) {
            return super.findClass(name);
        }
        try (InputStream in = file.openStream()) {
            byte[] found = in.readAllBytes();
            byte[] changed = redirection.leadsTo(name) ? Redirection.madePublic(found) : redirection.apply(found);
            return defineClass(name, changed, 0, changed.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private boolean redirected(String name, URL file) {
        boolean ofTheirTests = name.startsWith("org.apache.") && file.getPath().contains(TEST_JAR);
        return redirection.appliesTo(name) && (ofTheirTests || alsoRedirected.contains(name));
    }

    @Override
    public URL findResource(String name) {
        URL found = super.findResource(name);
        if (found == null
                || name.endsWith(".class")
                || name.endsWith("/")
                || !found.getPath().contains(TEST_JAR)) {
            return found;
        }
        return url(extract(name, found));
    }

    private synchronized Path extract(String name, URL inJar) {
        Path file = folder.resolve(name);
        try {
            JarURLConnection connection = (JarURLConnection) inJar.openConnection();
            if (connection.getJarEntry().isDirectory()) {
                return Files.createDirectories(file);
            }
            Files.createDirectories(file.getParent());
            if (!Files.exists(file)) {
                try (InputStream in = connection.getInputStream()) {
                    Files.copy(in, file);
                }
            }
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Copies all files below this folder of a test jar, and returns where they are now. */
    public Path extractFolder(String name) throws IOException {
        JarURLConnection connection =
                (JarURLConnection) super.findResource(name + "/").openConnection();
        for (String entry :
                connection.getJarFile().stream().map(JarEntry::getName).toList()) {
            if (entry.startsWith(name + "/") && !entry.endsWith("/")) {
                findResource(entry);
            }
        }
        return folder.resolve(name);
    }

    /**
     * Runs this on the calling thread with this loader as its context and these system properties.
     *
     * @param <E> what the run throws
     */
    public <E extends Exception> void within(Map<String, String> properties, Run<E> run) throws E {
        Thread thread = Thread.currentThread();
        ClassLoader usual = thread.getContextClassLoader();
        Properties before = (Properties) System.getProperties().clone();
        properties.forEach(System::setProperty);
        thread.setContextClassLoader(this);
        try {
            run.run();
        } finally {
            thread.setContextClassLoader(usual);
            System.setProperties(before);
        }
    }

    /**
     * Something to run.
     *
     * @param <E> what it throws
     */
    public interface Run<E extends Exception> {
        void run() throws E;
    }

    /** How many streams our codecs have opened in this world. */
    public Streams streams() {
        try {
            var sum = loadClass("io.warpcodec.metrics.Metrics").getMethod("sum", String.class, String.class);
            return new Streams(
                    (long) sum.invoke(null, "encode.", ".streams"), (long) sum.invoke(null, "decode.", ".streams"));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no counters", e);
        }
    }
}
