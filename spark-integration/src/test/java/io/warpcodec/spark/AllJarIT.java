package io.warpcodec.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.hadoop.GpuGzipCodec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What {@code warpcodec-all.jar} holds, and what it must leave to the host. */
class AllJarIT {
    private static List<String> names;

    @BeforeAll
    static void list() throws IOException {
        try (JarFile jar =
                new JarFile(Path.of(System.getProperty("warpcodec.test.allJar")).toFile())) {
            names = jar.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(ZipEntry::getName)
                    .toList();
        }
    }

    @Test
    void everyModuleIsInside() {
        assertThat(names)
                .contains(
                        "io/warpcodec/stream/ChunkedInputStream.class",
                        GpuGzipCodec.class.getName().replace('.', '/') + ".class",
                        "io/warpcodec/Doctor.class",
                        WarpcodecPlugin.class.getName().replace('.', '/') + ".class",
                        "jcuda/driver/JCudaDriver.class",
                        "META-INF/LICENSE",
                        "META-INF/NOTICE");
    }

    @Test
    void theDriverBindingIsTheOnlyNativeLibrary() {
        assertThat(names.stream().filter(name -> name.matches(".*\\.(so|dll|dylib|jnilib)")))
                .singleElement()
                .asString()
                .startsWith("lib/libJCudaDriver");
    }

    @Test
    void nothingThatHostsShipIsInside() {
        assertThat(names)
                .noneMatch(name -> name.startsWith("net/jpountz")
                        || name.startsWith("org/xerial")
                        || name.startsWith("com/github/luben")
                        || name.startsWith("org/slf4j")
                        || name.startsWith("org/apache"));
    }

    @Test
    void codeIsOursOrJcudas() {
        assertThat(names.stream().filter(name -> name.endsWith(".class")))
                .allMatch(name -> name.startsWith("io/warpcodec/") || name.startsWith("jcuda/"));
    }

    @Test
    void noServiceFileTakesASuffixByItself() {
        assertThat(names).noneMatch(name -> name.startsWith("META-INF/services/"));
    }
}
