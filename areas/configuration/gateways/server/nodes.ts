import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { browseNodes, ChannelState, statedCallers, statedChannels, UnknownCaller } from '../../../../contract/gateway-protocol.ts'
import { type Node, Node as NodeSchema } from '../../channels/contract.ts'

const nodes = Compile(Type.Array(NodeSchema, { maxItems: browseNodes }))

/** Nodes that a gateway found. It may send anything: an invalid node is omitted as a whole. */
export const nodesOf = (data: Record<string, unknown> = {}): { Nodes: Node[]; Total: number } => {
  const { Nodes, Total } = data
  if (!nodes.Check(Nodes)) return { Nodes: [], Total: 0 }
  return { Nodes, Total: Number.isSafeInteger(Total) ? Math.max(Nodes.length, Number(Total)) : Nodes.length }
}

const states = Compile(Type.Array(ChannelState, { maxItems: statedChannels }))
const callers = Compile(Type.Array(UnknownCaller, { maxItems: statedCallers }))
/** States of channels, and unknown callers, by the same rule. */
export const statesOf = ({ Channels, Callers }: Record<string, unknown> = {}) => ({
  Channels: states.Check(Channels) ? Channels : [],
  Callers: callers.Check(Callers) ? Callers : [],
})
