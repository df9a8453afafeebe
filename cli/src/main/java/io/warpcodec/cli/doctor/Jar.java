package io.warpcodec.cli.doctor;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;

/** Finds out from which jar (or folder) a class comes, and which others have it too. */
final class Jar {

    private Jar() {}

    /** Every place on the class path that has the class, the one that wins first. */
    static List<String> having(String className) throws IOException {
        String resource = className.replace('.', '/') + ".class";
        List<String> places = new ArrayList<>();
        Enumeration<URL> found = Thread.currentThread().getContextClassLoader().getResources(resource);
        while (found.hasMoreElements()) {
            places.add(place(found.nextElement(), resource));
        }
        return places;
    }

    private static String place(URL url, String resource) throws IOException {
        URLConnection connection = url.openConnection();
        if (connection instanceof JarURLConnection jar) {
            return jar.getJarFileURL().getPath();
        }
        String path = url.getPath();
        return path.substring(0, path.length() - resource.length());
    }
}
