/**
 * How a service divides what it has between users and their clients: connections, memory, orders on the heap, turns. A
 * share binds only while another user asks. Nothing here knows sockets or devices; users and clients are any objects
 * that are equal where they are the same.
 */
package io.warpcodec.device.serve.share;
