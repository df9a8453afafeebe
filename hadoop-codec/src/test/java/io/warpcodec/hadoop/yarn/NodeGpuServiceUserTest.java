package io.warpcodec.hadoop.yarn;

import io.warpcodec.engine.gpu.node.account.ClientMemoryTest;

/** YARN's auxiliary service, made by an ordinary account without a capability, keeps tasks of other accounts apart. */
class NodeGpuServiceUserTest extends ClientMemoryTest {
    @Override
    protected Class<?> service() {
        return ScriptedNodeGpuService.class;
    }
}
