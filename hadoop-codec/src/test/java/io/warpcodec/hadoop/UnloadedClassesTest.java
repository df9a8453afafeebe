package io.warpcodec.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.DirectDecompressionCodec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Programs such as HiveServer2 load our jar anew for each session: when a session is over, nothing of ours holds its
 * classes.
 */
@Timeout(300)
class UnloadedClassesTest {
    private static final byte[] CONTENT = Payloads.text(600_000, 1);

    /** Loads our classes anew, and all others where this test has them. */
    private static final class Session extends URLClassLoader {
        Session() {
            super(ourClasses(), UnloadedClassesTest.class.getClassLoader());
        }

        private static URL[] ourClasses() {
            String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
            return Arrays.stream(classPath.split(File.pathSeparator))
                    .map(entry -> {
                        try {
                            return Path.of(entry).toUri().toURL();
                        } catch (java.net.MalformedURLException impossible) {
                            throw new IllegalStateException(impossible);
                        }
                    })
                    .toArray(URL[]::new);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("io.warpcodec.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : findClass(name);
            }
        }
    }

    private static void use(ClassLoader session, CodecUnderTest format) throws Exception {
        CompressionCodec codec = (CompressionCodec)
                session.loadClass(format.className).getDeclaredConstructor().newInstance();
        assertThat(codec.getClass().getClassLoader()).isSameAs(session);
        Configuration conf = format.conf();
        conf.set(CodecUnderTest.PREFIX + "mode", "cpu");
        ((Configurable) codec).setConf(conf);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        Compressor compressor = codec.createCompressor();
        try (OutputStream out = codec.createOutputStream(file, compressor)) {
            out.write(CONTENT);
        }
        byte[] alone = Coding.compress(codec.createCompressor(), CONTENT, Sizes.of(50_000), Sizes.of(50_000));
        for (byte[] each : new byte[][] {file.toByteArray(), alone}) {
            try (InputStream in = codec.createInputStream(new ByteArrayInputStream(each))) {
                assertThat(in.readAllBytes()).isEqualTo(CONTENT);
            }
            Decompressor decompressor = codec.createDecompressor();
            assertThat(Decoding.throughDecompressor(
                                    decompressor, new ByteArrayInputStream(each), Sizes.of(50_000), Sizes.of(50_000))
                            .isExactly(CONTENT))
                    .isTrue();
            ByteBuffer target = ByteBuffer.allocateDirect(CONTENT.length);
            ((DirectDecompressionCodec) codec).createDirectDecompressor().decompress(ByteBuffer.wrap(each), target);
            assertThat(target.hasRemaining()).isFalse();
        }
        // half a stream of each kind is dropped open
        codec.createOutputStream(new ByteArrayOutputStream()).write(CONTENT, 0, 1000);
        codec.createInputStream(new ByteArrayInputStream(alone)).read();
    }

    /**
     * What a JVM keeps of those who come first: one bean with counters, and in Hadoop's Shell the stack of an
     * exception.
     */
    @BeforeAll
    static void comeFirst() throws Exception {
        ManagementFactory.getPlatformMBeanServer();
        for (CodecUnderTest format : CodecUnderTest.values()) {
            Coding.compress(format.codec(), CONTENT);
        }
    }

    private static WeakReference<ClassLoader> session(CodecUnderTest format) throws Exception {
        try (Session session = new Session()) {
            use(session, format);
            return new WeakReference<>(session);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSessionsClassesGoWithTheSession(CodecUnderTest format) throws Exception {
        List<WeakReference<ClassLoader>> sessions = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            sessions.add(session(format));
        }
        // the JDK's ObjectMethods remember the type of the record that was hashed last
        session(format);
        for (int i = 0; i < 300 && sessions.stream().anyMatch(each -> !each.refersTo(null)); i++) {
            System.gc();
            Thread.sleep(50);
        }
        assertThat(sessions).allMatch(each -> each.refersTo(null));
    }
}
