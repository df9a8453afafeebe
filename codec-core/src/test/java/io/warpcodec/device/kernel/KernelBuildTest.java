package io.warpcodec.device.kernel;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.engine.gpu.KernelCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the build asks of nvcc, seen by a script in its place. */
class KernelBuildTest {
    private static final Path SCRIPT = Path.of("../kernels/src/build/compile-kernels.sh");
    private static final Path SOURCES = Path.of("../kernels/src/main/cuda");

    @TempDir
    Path folder;

    /**
     * A compiler that writes down its calls, refuses those with the word REFUSED, and makes a result of the others. PTX
     * that it keeps is of two architectures, and must lie there when it is read.
     */
    private static final String NVCC = """
            #!/bin/bash
            echo "$*" >> FOLDER/calls
            case $* in
              --version) echo 'Cuda compilation tools, release 13.0, V13.0.88'; exit ;;
              *'REFUSED'*) echo 'ptxas error: out of range' >&2; exit 1 ;;
            esac
            for last; do :; done
            while [ "$1" != -o ]; do
              [ "$1" != --keep-dir ] || touch "$2/$(basename "$last" .cu).compute_"{75,90}.ptx
              shift
            done
            [ -f "$last" ] && echo code > "$2"
            """;

    private Path nvccThatRefuses(String words) throws IOException {
        Path nvcc = folder.resolve("nvcc");
        Files.writeString(nvcc, NVCC.replace("FOLDER", folder.toString()).replace("REFUSED", words));
        assertThat(nvcc.toFile().setExecutable(true)).isTrue();
        return nvcc;
    }

    private int build(String architectures, Path nvcc, String kernels) throws Exception {
        List<String> command = List.of(
                "bash",
                SCRIPT.toString(),
                SOURCES.toString(),
                folder.resolve("out").toString(),
                folder.resolve("stamps").toString(),
                architectures,
                "75",
                nvcc.toString(),
                kernels);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("printed").toFile())
                .start();
        assertThat(process.waitFor(2, MINUTES)).isTrue();
        return process.exitValue();
    }

    private String read(String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    @Test
    void everyWordIsAssembledForTheOldestDevice() throws Exception {
        assertThat(build("90", nvccThatRefuses("none of them"), "required")).isZero();
        String calls = read("calls");
        assertThat(KernelCatalog.contracts())
                .extracting(KernelContract::word)
                .allSatisfy(word -> assertThat(calls)
                        .containsPattern("-cubin -arch=sm_75 .*/" + word + "\\.compute_75\\.ptx")
                        .containsPattern("code=compute_75 .*" + word + "/" + word + "\\.cu"));
    }

    @Test
    void wordThatTheOldestDeviceRefusesEndsTheBuildEachTime() throws Exception {
        Path nvcc = nvccThatRefuses("-arch=sm_75'*'/bzip2.compute_75.ptx");
        for (int time = 0; time < 2; time++) {
            assertThat(build("90", nvcc, "wanted")).isNotZero();
            assertThat(folder.resolve("out/bzip2.fatbin")).doesNotExist();
        }
    }

    @Test
    void whatTheFatbinHasIsNotAssembledAgain() throws Exception {
        assertThat(build("75,90", nvccThatRefuses("-cubin"), "required")).isZero();
        assertThat(read("calls")).contains("code=sm_75");
    }

    @Test
    void releaseWithoutCompilerFailsAndSaysTheWayOut() throws Exception {
        assertThat(build("90", folder.resolve("absent"), "required")).isNotZero();
        assertThat(read("printed")).contains("nvcc").contains("-Dkernels=none");
        assertThat(build("90", folder.resolve("absent"), "wanted")).isZero();
        assertThat(read("printed")).contains("NO KERNELS");
    }

    @Test
    void buildWithoutKernelsOnPurposeHasNoneThoughThereIsCompiler() throws Exception {
        Path nvcc = nvccThatRefuses("none of them");
        assertThat(build("90", nvcc, "required")).isZero();
        assertThat(build("90", nvcc, "none")).isZero();
        assertThat(read("out/kernels.properties")).contains("toolkit=\n");
        assertThat(folder.resolve("out").toFile().list()).containsExactly("kernels.properties");
        assertThat(build("90", nvcc, "perhaps")).isNotZero();
    }
}
