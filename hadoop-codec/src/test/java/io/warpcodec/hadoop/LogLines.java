package io.warpcodec.hadoop;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** What is logged as WARN or worse while this is open, by one class and those that log for it. */
final class LogLines extends AppenderSkeleton implements AutoCloseable {
    private final Logger logger;
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

    LogLines(Class<?> type) {
        logger = Logger.getLogger(type);
        logger.addAppender(this);
    }

    List<String> warnings() {
        return List.copyOf(lines);
    }

    @Override
    protected void append(LoggingEvent event) {
        if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
            lines.add(event.getRenderedMessage());
        }
    }

    @Override
    public void close() {
        logger.removeAppender(this);
    }

    @Override
    public boolean requiresLayout() {
        return false;
    }
}
