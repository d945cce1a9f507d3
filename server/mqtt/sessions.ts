import type { Socket } from 'node:net'
import type { Client, ConnectPacket } from 'aedes'
import { hears } from './access.ts'
import type { Send } from './foreign.ts'
import type { GuardedSocket } from './guardedSocket.ts'
import type { Outgoing } from './shortcut.ts'

/** What is known of a connection beside its socket; the SN is the one that authenticated, never one from a payload. */
export type Session = {
  guarded: GuardedSocket
  address: string
  /** The address is that of a balancer, which many gateways share. */
  isBehindBalancer?: boolean
  sn?: string
  /** Set when it speaks another language than ours. */
  foreign?: { send: Send; proof: string }
  /** Until it is authenticated: the packet holds its key, and with it all that was read in that piece. */
  connect?: ConnectPacket | undefined
  /** Where its will is to go. */
  will?: string | undefined
  keepAliveMs?: number
  filters: Set<string>
  acknowledged: Promise<void>
  out: Outgoing
  countReadings(count: number): void
  refused?: true
}

/** The open connections, by client, serial number and address. */
export class Sessions {
  readonly sockets = new Map<Socket, GuardedSocket>()
  readonly #sessions = new WeakMap<Client, Session>()
  readonly #bySn = new Map<string, Set<Client>>()
  readonly #byAddress = new Map<string, number>()

  of(client: Client) {
    return this.#sessions.get(client)
  }
  openOf(address: string) {
    return this.#byAddress.get(address) ?? 0
  }
  clientsOf(sn: string): Iterable<Client> {
    return this.#bySn.get(sn) ?? []
  }
  /** The client that a message of this kind would reach. */
  listener(sn: string, kind: string) {
    for (const client of this.clientsOf(sn)) if (client.connected && hears(sn, this.#sessions.get(client)!.filters, kind)) return client
  }

  isOpen(client: Client) {
    const sn = this.#sessions.get(client)?.sn
    return sn !== undefined && (this.#bySn.get(sn)?.has(client) ?? false)
  }

  /** A connection before its login; counts towards its address. */
  add(socket: Socket, session: Session) {
    this.#byAddress.set(session.address, this.openOf(session.address) + 1)
    this.sockets.set(socket, session.guarded)
  }
  bind(client: Client, session: Session) {
    this.#sessions.set(client, session)
  }
  login(client: Client, sn: string) {
    this.#sessions.get(client)!.sn = sn
    this.#bySn.set(sn, (this.#bySn.get(sn) ?? new Set()).add(client))
  }
  remove(socket: Socket, client: Client, { address, sn }: Session) {
    this.sockets.delete(socket)
    const rest = this.openOf(address) - 1
    if (rest > 0) this.#byAddress.set(address, rest)
    else this.#byAddress.delete(address)
    const mine = sn ? this.#bySn.get(sn) : undefined
    mine?.delete(client)
    if (mine && !mine.size) this.#bySn.delete(sn!)
  }
}
