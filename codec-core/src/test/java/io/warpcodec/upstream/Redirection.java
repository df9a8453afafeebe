package io.warpcodec.upstream;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/**
 * Which class a test of another project meets when it names one of that project: {@code new GzipCodec()},
 * {@code GzipCodec.class} and the string {@code "org.apache.hadoop.io.compress.GzipCodec"} all become our codec.
 * Nothing else in the test changes, but for calls of {@code as(...)} of an older AssertJ, which would not link with
 * ours. Filled by one thread, then read by any.
 */
public final class Redirection {
    private static final String ASSERTJ = "org/assertj/core/api/";
    /** Where AssertJ has had {@code as(...)} since the version that Hadoop's tests were compiled against. */
    private static final String DESCRIPTABLE = ASSERTJ + "Descriptable";

    private static final String TEXT = "(Ljava/lang/String;[Ljava/lang/Object;)";

    private final Map<String, String> classes = new HashMap<>();
    private final Map<String, String> texts = new HashMap<>();
    private final Map<String, String> answers = new HashMap<>();
    private final Set<String> untouched = new HashSet<>();

    /** Every mention of the first class becomes one of the second. Both are binary names. */
    public Redirection of(String stock, String ours) {
        classes.put(internal(stock), internal(ours));
        return ofText(stock, ours);
    }

    /** The first text becomes the second wherever it is a constant. */
    public Redirection ofText(String stock, String ours) {
        texts.put(stock, ours);
        return this;
    }

    /** Calls of this static method are answered by the method of the same name in the other class. */
    public Redirection ofStatic(String stock, String method, Class<?> answering) {
        answers.put(internal(stock) + '.' + method, internal(answering.getName()));
        return this;
    }

    /** Leaves this class as it is: one with which tests make their data, and which needs the stock codec for it. */
    public Redirection notIn(String className) {
        untouched.add(className);
        return this;
    }

    boolean appliesTo(String className) {
        return !untouched.contains(className);
    }

    /** Whether this is a class of ours that tests are led to. */
    boolean leadsTo(String className) {
        return classes.containsValue(internal(className));
    }

    /** The class file with other names in it. */
    byte[] apply(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(0);
        reader.accept(new Calls(new ClassRemapper(writer, new Names())), 0);
        return writer.toByteArray();
    }

    /** The class file of a class that any other may name. */
    static byte[] madePublic(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public void visit(
                            int version, int access, String name, String signature, String base, String[] interfaces) {
                        super.visit(version, access | Opcodes.ACC_PUBLIC, name, signature, base, interfaces);
                    }
                },
                0);
        return writer.toByteArray();
    }

    private static String internal(String name) {
        return name.replace('.', '/');
    }

    private final class Names extends Remapper {
        Names() {
            super(Opcodes.ASM9);
        }

        @Override
        public String map(String internalName) {
            return classes.getOrDefault(internalName, internalName);
        }

        @Override
        public Object mapValue(Object value) {
            return value instanceof String text ? texts.getOrDefault(text, text) : super.mapValue(value);
        }
    }

    private final class Calls extends ClassVisitor {
        Calls(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String type, String signature, String[] thrown) {
            return new MethodVisitor(api, super.visitMethod(access, name, type, signature, thrown)) {
                @Override
                public void visitMethodInsn(
                        int opcode, String owner, String called, String calledType, boolean ofInterface) {
                    if (owner.startsWith(ASSERTJ) && called.equals("as") && calledType.startsWith(TEXT)) {
                        describe(Type.getReturnType(calledType).getInternalName());
                    } else {
                        String answering = opcode == Opcodes.INVOKESTATIC ? answers.get(owner + '.' + called) : null;
                        super.visitMethodInsn(
                                opcode, answering == null ? owner : answering, called, calledType, ofInterface);
                    }
                }

                private void describe(String result) {
                    super.visitMethodInsn(
                            Opcodes.INVOKEINTERFACE, DESCRIPTABLE, "as", TEXT + "Ljava/lang/Object;", true);
                    visitTypeInsn(Opcodes.CHECKCAST, result);
                }
            };
        }
    }
}
