package io.warpcodec;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.warpcodec.metrics.FallbackReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The laws of ARCHITECTURE: which room may enter which, and how many classes it may have. */
class ArchitectureTest {
    private static final String ROOT = "io.warpcodec";
    private static final String DEVICE = "io.warpcodec.device..";
    private static final String CPU = "io.warpcodec.engine.cpu..";
    private static final String GPU = "io.warpcodec.engine.gpu..";
    private static final String GPU_ROOMS = "io.warpcodec.engine.gpu.";
    private static final String DOCTOR = "io.warpcodec.doctor..";
    private static final String SERVE = "io.warpcodec.serve..";
    private static final String UNIT = "io.warpcodec.stream.unit..";

    /** Rooms that the rules name or match: a rule about a room that was renamed would hold for nothing. */
    private static final Set<String> ROOMS = Set.of(
            "io.warpcodec",
            "io.warpcodec.device.driver",
            "io.warpcodec.device.kernel",
            "io.warpcodec.device.lease",
            "io.warpcodec.device.node",
            "io.warpcodec.device.pool",
            "io.warpcodec.device.serve",
            "io.warpcodec.doctor",
            "io.warpcodec.engine",
            "io.warpcodec.engine.bzip2",
            "io.warpcodec.engine.choice",
            "io.warpcodec.engine.cpu",
            "io.warpcodec.engine.cpu.base",
            "io.warpcodec.engine.cpu.bzip2",
            "io.warpcodec.engine.cpu.deflate",
            "io.warpcodec.engine.cpu.lz4",
            "io.warpcodec.engine.cpu.snappy",
            "io.warpcodec.engine.cpu.zstd",
            "io.warpcodec.engine.gpu",
            "io.warpcodec.engine.gpu.block",
            "io.warpcodec.engine.gpu.bzip2",
            "io.warpcodec.engine.gpu.checksum",
            "io.warpcodec.engine.gpu.choice",
            "io.warpcodec.engine.gpu.deflate",
            "io.warpcodec.engine.gpu.lz4",
            "io.warpcodec.engine.gpu.request",
            "io.warpcodec.engine.gpu.snappy",
            "io.warpcodec.format",
            "io.warpcodec.format.bzip2",
            "io.warpcodec.format.checksum",
            "io.warpcodec.format.gzip",
            "io.warpcodec.format.hadoopframing",
            "io.warpcodec.format.lz4",
            "io.warpcodec.format.snappy",
            "io.warpcodec.format.zlib",
            "io.warpcodec.format.zstd",
            "io.warpcodec.metrics",
            "io.warpcodec.serve",
            "io.warpcodec.stream",
            "io.warpcodec.stream.gzipindex",
            "io.warpcodec.stream.unit");

    private static final int MOST_CLASSES = 20;
    private static final int MOST_CHANGING_FIELDS = 12;

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    void theRoomsAreSeen() {
        assertThat(CORE.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()))
                .containsAll(ROOMS);
    }

    @Test
    void jcudaNeverLeavesTheRoomOfTheDriver() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("io.warpcodec.device.driver")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("jcuda.."));
        check(methods().that(areOpenToOthers()).should(notNameJcuda()));
        check(fields().that(areOpenToOthers()).should(notNameJcuda()));
    }

    /** The compiler copies constants, so that byte code does not tell where they come from. */
    @Test
    void noSourceOutsideTheRoomOfTheDriverNamesJcuda() throws IOException {
        Path sources = Path.of("src", "main", "java");
        Path driver = sources.resolve("io/warpcodec/device/driver");
        try (Stream<Path> files = Files.walk(sources)) {
            List<Path> naming = files.filter(file -> file.toString().endsWith(".java") && !file.startsWith(driver))
                    .filter(file -> text(file).contains("import jcuda"))
                    .toList();
            assertThat(naming).isEmpty();
        }
    }

    @Test
    void everyPackageHasAnOverview() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
            Set<Path> folders = files.filter(file -> file.toString().endsWith(".java"))
                    .map(Path::getParent)
                    .collect(Collectors.toSet());
            assertThat(folders).isNotEmpty().allMatch(folder -> Files.exists(folder.resolve("package-info.java")));
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Test
    void hadoopAndSparkNeverEnter() {
        check(noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.apache.hadoop..",
                        "org.apache.spark..",
                        "scala..",
                        "io.warpcodec.hadoop..",
                        "io.warpcodec.spark..",
                        "io.warpcodec.cli.."));
    }

    @Test
    void formatsDoNotKnowEachOther() {
        check(slices().matching("io.warpcodec.format.(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(
                        alwaysTrue(),
                        resideInAnyPackage("io.warpcodec.format.checksum..", "io.warpcodec.format.hadoopframing..")));
    }

    @Test
    void formatsKnowNeitherEnginesNorStreamsNorDevices() {
        check(noClasses()
                .that()
                .resideInAPackage("io.warpcodec.format..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.warpcodec.engine..", "io.warpcodec.stream..", DEVICE));
    }

    @Test
    void theEnginesDoNotKnowEachOther() {
        check(noClasses()
                .that()
                .resideInAPackage(CPU)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(GPU, DEVICE));
        check(noClasses()
                .that()
                .resideInAPackage(GPU)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(CPU));
    }

    @Test
    void theRoomsOfTheGpuEngineAreEnteredFromItAlone() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(GPU)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.warpcodec.engine.gpu.*.."));
    }

    @Test
    void theRoomsOfTheCpuEngineAreEnteredFromItAloneAndItsFormatsDoNotKnowEachOther() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(CPU)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.warpcodec.engine.cpu.*.."));
        check(slices().matching("io.warpcodec.engine.cpu.(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(alwaysTrue(), resideInAnyPackage("io.warpcodec.engine.cpu.base..")));
    }

    @Test
    void theFormatsOfTheGpuEngineDoNotKnowEachOtherAndOnlyTheEngineKnowsThem() {
        String[] formats = {GPU_ROOMS + "lz4..", GPU_ROOMS + "snappy..", GPU_ROOMS + "deflate..", GPU_ROOMS + "bzip2.."
        };
        for (String format : formats) {
            check(noClasses()
                    .that()
                    .resideOutsideOfPackages(format, "io.warpcodec.engine.gpu")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(format));
        }
    }

    @Test
    void theMachineUnderDecodersIsEnteredFromStreamsAloneAndKnowsNoFormat() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("io.warpcodec.stream..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(UNIT));
        check(noClasses()
                .that()
                .resideInAPackage(UNIT)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.warpcodec.format.*..", "io.warpcodec.stream"));
    }

    @Test
    void onlyTheCompositionRootKnowsAnEngine() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(CPU)
                .and()
                .doNotBelongToAnyOf(Engines.class)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(CPU));
    }

    @Test
    void theCpuPathKnowsNothingOfTheGpu() {
        // not even the composition root, which finds the GPU engine by name
        check(noClasses()
                .that()
                .resideOutsideOfPackages(GPU, DEVICE, DOCTOR, SERVE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(GPU, DEVICE));
    }

    @Test
    void nothingDependsOnTheDoctor() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(DOCTOR)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(DOCTOR));
    }

    @Test
    void nothingDependsOnTheProcessesOfTheService() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(SERVE)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(SERVE));
    }

    @Test
    void aClientOfTheServiceKnowsNeitherTheServiceNorTheDriver() {
        check(noClasses()
                .that()
                .resideInAnyPackage("io.warpcodec.device.node..", "io.warpcodec.device.lease..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.warpcodec.device.driver..",
                        "io.warpcodec.device.pool..",
                        "io.warpcodec.device.serve..",
                        "jcuda.."));
    }

    @Test
    void theDeviceRoomKnowsNoOtherRoomButTheReasonsOfFallbacks() {
        check(classes()
                .that()
                .resideInAPackage(DEVICE)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(DEVICE, "java..", "jdk.net..", "jcuda..", "org.slf4j..")
                        .or(belongToAnyOf(FallbackReason.class))));
    }

    @Test
    void encodersAndDecodersDoNotKnowEachOther() {
        check(noClasses()
                .that(simpleNameEndingWith("Encoder"))
                .should()
                .dependOnClassesThat(simpleNameEndingWith("Decoder")));
        check(noClasses()
                .that(simpleNameEndingWith("Decoder"))
                .should()
                .dependOnClassesThat(simpleNameEndingWith("Encoder")));
    }

    @Test
    void packagesHaveNoCycles() {
        check(slices().assignedFrom(packagesWithTheCompositionRootApart())
                .should()
                .beFreeOfCycles());
    }

    /** In all modules. A class is a file here: nested ones count with the one around them, package-info does not. */
    @Test
    void noPackageHasMoreThanTwentyClasses() throws IOException {
        Map<String, Long> large = classesByPackage();
        assertThat(large).containsKeys("io.warpcodec.engine", "io.warpcodec.cli", "io.warpcodec.benchmarks");
        large.values().removeIf(count -> count <= MOST_CLASSES);
        assertThat(large).isEmpty();
    }

    /** State that changes in so many ways is more than one thing. */
    @Test
    void noClassHasMoreThanTwelveFieldsThatChange() {
        Map<String, Long> changing = new TreeMap<>();
        for (JavaClass each : CORE) {
            changing.put(
                    each.getName(),
                    each.getFields().stream()
                            .filter(field -> !field.getModifiers().contains(JavaModifier.FINAL))
                            .count());
        }
        assertThat(changing).hasSizeGreaterThan(200).containsEntry("io.warpcodec.format.EncodedChunk", 0L);
        changing.values().removeIf(count -> count <= MOST_CHANGING_FIELDS);
        assertThat(changing).isEmpty();
    }

    private static Map<String, Long> classesByPackage() throws IOException {
        Map<String, Long> counts = new TreeMap<>();
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            for (Path module : modules.toList()) {
                Path sources = module.resolve("src/main/java");
                if (Files.isDirectory(sources)) {
                    countClasses(sources, counts);
                }
            }
        }
        return counts;
    }

    private static void countClasses(Path sources, Map<String, Long> counts) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.toString().endsWith(".java") && !file.endsWith("package-info.java"))
                    .map(file -> sources.relativize(file.getParent()).toString().replace('/', '.'))
                    .forEach(room -> counts.merge(room, 1L, Long::sum));
        }
    }

    @Test
    void namesThatSayNothingAreNotUsed() {
        Stream.of("Utils", "Util", "Helper", "Manager", "Impl", "Common")
                .forEach(word -> check(noClasses().should().haveSimpleNameEndingWith(word)));
    }

    /** Engines lies in the root package by name, but above all others in rank. */
    private static SliceAssignment packagesWithTheCompositionRootApart() {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                boolean compositionRoot = type.getName().startsWith(Engines.class.getName());
                return SliceIdentifier.of(compositionRoot ? "composition root" : type.getPackageName());
            }

            @Override
            public String getDescription() {
                return "packages, with the composition root apart";
            }
        };
    }

    private static DescribedPredicate<JavaMember> areOpenToOthers() {
        return DescribedPredicate.describe(
                "can be used outside their package",
                member -> (member.getModifiers().contains(JavaModifier.PUBLIC)
                                || member.getModifiers().contains(JavaModifier.PROTECTED))
                        && member.getOwner().getModifiers().contains(JavaModifier.PUBLIC));
    }

    private static ArchCondition<JavaMember> notNameJcuda() {
        return new ArchCondition<>("not name a type of jcuda") {
            @Override
            public void check(JavaMember member, ConditionEvents events) {
                member.getAllInvolvedRawTypes().stream()
                        .filter(type -> !type.equals(member.getOwner()))
                        .filter(type -> type.getPackageName().startsWith("jcuda"))
                        .forEach(type -> events.add(SimpleConditionEvent.violated(
                                member, member.getFullName() + " names " + type.getName())));
            }
        };
    }

    private static void check(ArchRule rule) {
        rule.check(CORE);
    }
}
