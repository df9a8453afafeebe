package io.warpcodec.doctor;

import io.warpcodec.Version;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;

/** Finds out which jars (or folders) have a class, and of which version these jars are. */
public final class ClassPath {
    /** Where a version cannot be told. */
    static final String UNKNOWN = "unknown";

    /** What the names of our own artifacts begin with. */
    static final String OURS = "warpcodec";

    private ClassPath() {}

    /**
     * A place on the class path.
     *
     * @param path of a jar or folder
     * @param version of what was asked for, in it; {@value #UNKNOWN} where the jar does not tell
     */
    public record Place(String path, String version) {}

    /**
     * Every place that has a class, without copies of a jar. The place that wins comes first.
     *
     * @param artifact name of the artifact that the class belongs to, as in {@code ARTIFACT-VERSION.jar}
     * @param groups its Maven groups
     */
    static List<Place> having(String className, String artifact, String... groups) throws IOException {
        String resource = className.replace('.', '/') + ".class";
        List<Place> places = new ArrayList<>();
        Enumeration<URL> found = loader().getResources(resource);
        while (found.hasMoreElements()) {
            places.add(place(found.nextElement(), resource, artifact, groups));
        }
        return JarCopies.leaveOut(places);
    }

    /** The paths of every place that has a class. The path of the place that wins comes first. */
    public static List<String> having(String className) throws IOException {
        return having(className, "").stream().map(Place::path).toList();
    }

    private static ClassLoader loader() {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return context == null ? ClassPath.class.getClassLoader() : context;
    }

    private static Place place(URL url, String resource, String artifact, String... groups) throws IOException {
        URLConnection connection = url.openConnection();
        if (connection instanceof JarURLConnection jar) {
            // a jar of one's own: one from the cache would be the class loader's, which is not to be closed
            jar.setUseCaches(false);
            String path = jar.getJarFileURL().getPath();
            try (JarFile file = jar.getJarFile()) {
                return new Place(path, artifact.isEmpty() ? UNKNOWN : version(file, path, artifact, groups));
            }
        }
        String path = url.getPath();
        return new Place(path.substring(0, Math.max(0, path.length() - resource.length())), UNKNOWN);
    }

    private static String version(JarFile file, String path, String artifact, String... groups) throws IOException {
        for (String group : groups) {
            ZipEntry entry = file.getEntry("META-INF/maven/" + group + "/" + artifact + "/pom.properties");
            if (entry != null) {
                Properties built = new Properties();
                try (InputStream in = file.getInputStream(entry)) {
                    built.load(in);
                }
                return built.getProperty("version", UNKNOWN);
            }
        }
        ZipEntry own = artifact.startsWith(OURS) ? file.getEntry(Version.RESOURCE) : null;
        if (own != null) {
            try (InputStream in = file.getInputStream(own)) {
                return Version.read(in);
            }
        }
        String name = path.substring(path.lastIndexOf('/') + 1);
        Matcher named = Pattern.compile(Pattern.quote(artifact) + "(_[0-9.]+)?-([0-9].*)\\.jar")
                .matcher(name);
        if (named.matches()) {
            return named.group(2);
        }
        return name.startsWith(artifact) ? version(file.getManifest()) : UNKNOWN;
    }

    private static String version(Manifest manifest) {
        if (manifest == null) {
            return UNKNOWN;
        }
        Attributes main = manifest.getMainAttributes();
        String version = main.getValue("Bundle-Version");
        version = version == null ? main.getValue(Attributes.Name.IMPLEMENTATION_VERSION) : version;
        return version == null ? UNKNOWN : version;
    }
}
