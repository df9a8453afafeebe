package io.warpcodec.spark.upstream;

import io.warpcodec.upstream.Streams;
import io.warpcodec.upstream.UpstreamLoader;
import io.warpcodec.upstream.UpstreamResult;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Runs a ScalaTest suite of Spark's with ScalaTest's own runner, and reads how it went from the report that the
 * runner writes.
 */
final class ScalaSuite {
    private ScalaSuite() {}

    /** @param reports an existing folder for the report */
    static UpstreamResult run(String suite, UpstreamLoader world, Path reports)
            throws ReflectiveOperationException, IOException, ParserConfigurationException, SAXException {
        Streams before = world.streams();
        String[] arguments = {"-s", suite, "-oWF", "-u", reports.toString()};
        Method runner = world.loadClass("org.scalatest.tools.Runner").getMethod("run", String[].class);
        world.within(Map.of(), () -> runner.invoke(null, (Object) arguments));
        Path report = reports.resolve("TEST-" + suite + ".xml");
        if (!Files.exists(report)) {
            throw new AssertionError(suite + " left no report");
        }
        NodeList cases = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(report.toFile())
                .getElementsByTagName("testcase");
        long passed = 0;
        long skipped = 0;
        List<String> failures = new ArrayList<>();
        for (int i = 0; i < cases.getLength(); i++) {
            Element test = (Element) cases.item(i);
            if (has(test, "failure") || has(test, "error")) {
                failures.add(
                        test.getAttribute("name") + ": " + test.getTextContent().strip());
            } else if (has(test, "skipped")) {
                skipped++;
            } else {
                passed++;
            }
        }
        return new UpstreamResult(
                suite, passed, skipped, Map.of(), failures, world.streams().minus(before), true);
    }

    private static boolean has(Element test, String child) {
        return test.getElementsByTagName(child).getLength() > 0;
    }
}
