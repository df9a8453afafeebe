package io.warpcodec.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The laws of the tool's rooms, as its package-info has them. */
class RoomsTest {
    private static final String ROOT = "io.warpcodec.cli";

    /** A room may use those behind it, and none before it. */
    private static final List<String> ROOMS = List.of(
            ROOT,
            ROOT + ".verb",
            ROOT + ".bench",
            ROOT + ".serve",
            ROOT + ".doctor",
            ROOT + ".option",
            ROOT + ".input",
            ROOT + ".terminal",
            ROOT + ".file",
            ROOT + ".file.publish",
            ROOT + ".file.system");

    private static final JavaClasses TOOL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    void theseAreTheRooms() {
        assertThat(TOOL.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(ROOMS);
    }

    @Test
    void importsLeadDownwards() {
        for (int room = 1; room < ROOMS.size(); room++) {
            noClasses()
                    .that()
                    .resideInAPackage(ROOMS.get(room))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(ROOMS.subList(0, room).toArray(String[]::new))
                    .check(TOOL);
        }
    }

    /** A call for local files loads no class of Hadoop's. */
    @Test
    void hadoopIsUsedByTheDoctorAndForRemoteFilesAlone() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + ".doctor")
                .and()
                .haveNameNotMatching(".*\\.Hadoop[^.]*")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.hadoop..", "io.warpcodec.hadoop..")
                .check(TOOL);
    }
}
