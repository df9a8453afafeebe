package io.warpcodec.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints: the version that the build had, so that there is one number to change. */
final class ToolVersion implements IVersionProvider {

    @Override
    public String[] getVersion() throws IOException {
        Properties build = new Properties();
        try (InputStream resource = ToolVersion.class.getResourceAsStream("version.properties")) {
            build.load(resource);
        }
        return new String[] {"warpcodec " + build.getProperty("version")};
    }
}
