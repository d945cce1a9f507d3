// Maps addresses to nodes of a server. Namespaces are identified by URI, since a server may renumber them when it starts.
import { coerceNodeId, NodeId } from 'node-opcua-client'
import { type NodeAddress, opcua } from '../../../contract/protocols/opcua.ts'
import { DriverFault, type PointRow } from '../driver.ts'

const places = new WeakMap<PointRow, NodeAddress>()
/** @throws DriverFault for an address that the configuration check refuses */
export const placeOfNode = (point: PointRow): NodeAddress => {
  const known = places.get(point)
  if (known) return known
  const parsed = opcua.parse(point.Address)
  if ('at' in parsed) throw new DriverFault('address', `${point.Address} is no node`)
  places.set(point, parsed.address)
  return parsed.address
}

/** `nsu=` extends to the first semicolon, which URIs must not contain. */
const named = /^nsu=([^;]+);(.+)$/s
const [numeric, string, guid, opaque] = [1, 2, 3, 4]
/** A node by its text; undefined if the server lacks the namespace. @throws Error for an invalid text */
export const nodeIdOf = (text: string, namespaces: readonly string[]): NodeId | undefined => {
  const [, uri, own] = named.exec(text) ?? []
  const [, number = '0', rest = ''] = /^(?:ns=(\d+);)?(.+)$/s.exec(own ?? text) ?? []
  const namespace = uri === undefined ? Number(number) : namespaces.indexOf(uri)
  if (namespace < 0) return undefined
  const value = rest.slice(2)
  if (rest.startsWith('s=')) return new NodeId(string, value, namespace)
  if (rest.startsWith('i=')) return new NodeId(numeric, Number(value), namespace)
  if (rest.startsWith('b=')) return new NodeId(opaque, Buffer.from(value, 'base64'), namespace)
  return coerceNodeId(`ns=${namespace};g=${value.toUpperCase()}`)
}

/** The text by which a point addresses a node. */
export const textOfNode = ({ identifierType, value, namespace }: NodeId, namespaces: readonly string[]): string => {
  const uri = namespaces[namespace]
  const space = namespace === 0 ? '' : uri === undefined ? `ns=${namespace};` : `nsu=${uri};`
  if (identifierType === numeric) return `${space}i=${value}`
  if (identifierType === guid) return `${space}g=${value}`
  return Buffer.isBuffer(value) ? `${space}b=${value.toString('base64')}` : `${space}s=${value}`
}
