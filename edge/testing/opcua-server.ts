// A server of OPC UA by the makers of our client, with a line in front of it that misbehaves when a test says so.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  DataType,
  MessageSecurityMode,
  OPCUACertificateManager,
  OPCUAServer,
  SecurityPolicy,
  StatusCodes,
  type UAVariable,
  Variant,
  VariantArrayType,
} from 'node-opcua'
import type { Behaviour } from './raw.ts'

export const namespaceUri = 'urn:plant'
type Held = { variable: UAVariable; value: unknown }

/** Starts the server; `values` are its variables by name. */
export const startOpcServer = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'opcua-server-'))
  const manager = (name: string, accept: boolean) =>
    new OPCUACertificateManager({
      rootFolder: join(folder, name),
      automaticallyAcceptUnknownCertificate: accept,
      disableFileWatchers: true,
    })
  const [serverCertificateManager, userCertificateManager] = [manager('server', true), manager('users', true)]
  const server = new OPCUAServer({
    ...{
      port: 0,
      host: '127.0.0.1',
      hostname: '127.0.0.1',
      serverCertificateManager,
      userCertificateManager,
      maxConnectionsPerEndpoint: 50,
    },
    securityModes: [MessageSecurityMode.None, MessageSecurityMode.Sign, MessageSecurityMode.SignAndEncrypt],
    securityPolicies: [SecurityPolicy.None, SecurityPolicy.Basic256Sha256, SecurityPolicy.Aes256_Sha256_RsaPss],
    allowAnonymous: true,
    userManager: { isValidUser: (name: string, password: string) => name === 'operator' && password === 'operator-password' },
    serverCapabilities: { maxSessions: 300, operationLimits: { maxNodesPerRead: 40, maxMonitoredItemsPerCall: 30 } },
    registerServerMethod: 1,
  })
  await server.initialize()
  const space = server.engine.addressSpace!
  const own = space.registerNamespace(namespaceUri)
  const plant = own.addObject({ browseName: 'Plant', organizedBy: space.rootFolder.objects })
  const held = new Map<string, Held>()
  const add = (name: string, dataType: DataType, value: unknown, isArray = false) => {
    const variable = own.addVariable({
      ...{ browseName: name, componentOf: plant, nodeId: `s=${name}`, dataType: DataType[dataType]!, minimumSamplingInterval: 10 },
      ...(isArray ? { valueRank: 1 } : {}),
      value: new Variant({ dataType, value, arrayType: isArray ? VariantArrayType.Array : VariantArrayType.Scalar }),
    })
    held.set(name, { variable, value })
    return variable
  }
  await server.start()
  const port = server.endpoints[0]!.port
  return {
    port,
    own,
    plant,
    add,
    variable: (name: string) => held.get(name)!.variable,
    set: (name: string, dataType: DataType, value: unknown, status = StatusCodes.Good) =>
      held.get(name)!.variable.setValueFromSource({ dataType, value }, status, new Date()),
    thumbprint: () => server.getCertificate(),
    close: async () => {
      await server.shutdown(0)
      await serverCertificateManager.dispose()
      await userCertificateManager.dispose()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type OpcServer = Awaited<ReturnType<typeof startOpcServer>>

/** A line to the server. Sessions are opened as ever; what comes afterwards is what misbehaves. */
export const startLine = async (to: number, { lateMs = 100 } = {}) => {
  const sockets = new Set<Socket>()
  let how: Behaviour = 'good'
  const isOpening = (chunk: Buffer) => !chunk.toString('latin1', 0, 3).startsWith('MSG')
  const line = createServer((near) => {
    const far = connect({ port: to, host: '127.0.0.1' })
    sockets.add(near)
    const end = () => {
      near.destroy()
      far.destroy()
      sockets.delete(near)
    }
    for (const socket of [near, far]) socket.on('close', end).on('error', end)
    near.on('data', (chunk) => void far.write(chunk))
    // A line that is slow keeps the order.
    let before = Promise.resolve()
    const send = (chunk: Buffer, ms: number) => {
      before = before.then(() => pause(ms)).then(() => void (near.writable && near.write(chunk)))
    }
    far.on('data', (chunk) => {
      if (how === 'good' || how === 'refused' || isOpening(chunk)) return send(chunk, 0)
      if (how === 'silent') return
      if (how === 'late') return send(chunk, lateMs)
      if (how === 'cut') return void near.end(chunk.subarray(0, chunk.length - 1))
      const wrong = Buffer.from(chunk)
      wrong.fill(0xff, 0, 8)
      near.write(wrong)
    })
  })
  line.listen(0, '127.0.0.1')
  await once(line, 'listening')
  return {
    port: (line.address() as AddressInfo).port,
    behave: (next: Behaviour) => {
      how = next
    },
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
    connections: () => sockets.size,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise<void>((resolve) => line.close(() => resolve()))
    },
  }
}
