import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { browseNodes } from '../../../../contract/gateway-protocol.ts'
import { type Node, Node as NodeSchema } from '../../channels/contract.ts'

const nodes = Compile(Type.Array(NodeSchema, { maxItems: browseNodes }))

/** What a gateway has found. It may have sent anything: what is none is left out as a whole. */
export const nodesOf = (data: Record<string, unknown> = {}): { Nodes: Node[]; Total: number } => {
  const { Nodes, Total } = data
  if (!nodes.Check(Nodes)) return { Nodes: [], Total: 0 }
  return { Nodes, Total: Number.isSafeInteger(Total) ? Math.max(Nodes.length, Number(Total)) : Nodes.length }
}
