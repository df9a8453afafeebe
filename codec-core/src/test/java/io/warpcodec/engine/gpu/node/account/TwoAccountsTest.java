package io.warpcodec.engine.gpu.node.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Forty connections of one account have no more of a service than one of another. Needs root, to be other users. */
@Timeout(180)
class TwoAccountsTest {
    @ParameterizedTest
    @ValueSource(strings = {"both", "inputs"})
    void eachHasHalfOfTheBytesThatCost(String kind) throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can start processes of other users");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "there is no setpriv, of util-linux");
        double share = TwoAccounts.shareOfMany(2, false, kind);
        assertThat(TwoAccounts.isHalf(share)).as("share of the many: " + share).isTrue();
    }
}
