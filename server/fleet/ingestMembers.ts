// The owner's end of processes that store readings: it knows which are there, numbers their readings, and judges what they have stored.
import type { Logger } from 'pino'
import type { Elsewhere } from '../telemetry/elsewhere.ts'
import type { Stored } from '../telemetry/sample.ts'
import { parse, protocol } from './frames.ts'
import type { Nats } from './natsConnection.ts'
import {
  decodeRows,
  type Join,
  type Keep,
  type LateFrame,
  numberRows,
  type Reserve,
  type Reserved,
  type StoredAnswer,
  type StoredFrame,
} from './storedFrames.ts'

/**
 * ms: interval of questions to each process; silence after which a process is gone; the same where no process listens under its name, which
 * its reconnection to NATS explains for a moment; how long processes have to announce themselves to a new owner.
 */
const times = { ask: 250, silent: 2000, unheard: 600, settled: 1500 }
/** How long numbers are held while others wait, ms. A process gets twice the time that it took before, up to the longest. */
const [heldMs, longestHeldMs] = [3000, 60_000]
/** Readings of one commit; stored readings that wait for earlier ones; names that are remembered. */
const [mostRows, mostWaiting, mostGone] = [200_000, 500_000, 10_000]

type Member = {
  heardAt: number
  /** When nobody was found to listen under its name. */
  unheardAt: number | undefined
  range: { first: number; at: number } | undefined
  patience: number
  /** The commit under way, and the last that was answered. */
  commit: { seq: number; rows: Stored[]; late: LateFrame['late'] }
  answered: { seq: number; isStored: boolean } | undefined
}

export type IngestMembersOptions = {
  nats: Nats
  owner: string
  /** Name of the newest migration: processes of another version are not used. */
  schema: string
  elsewhere: Elsewhere
  /** False while another process may be the owner. */
  isOwner: () => boolean
  /** A gateway has sent readings. */
  seen(sn: string): void
  /** Processes have come or gone. */
  changed(): void
  log: Pick<Logger, 'warn'>
}

type Options = Pick<IngestMembersOptions, 'elsewhere' | 'schema' | 'seen' | 'changed' | 'log'>
const noCommit = () => ({ seq: -1, rows: [], late: [] })
const now = () => performance.now()

/** The processes that there are, their numbers, and what they have under way. */
const openMembers = ({ schema, elsewhere, seen, changed, log }: Options) => {
  const members = new Map<string, Member>()
  /** Versions that were told of. */
  const foreign = new Set<string>()
  /** Names of processes that are gone: what they had begun must not go on. */
  const gone = new Set<string>()

  const giveUp = (member: Member) => {
    if (member.range) elsewhere.giveUp(member.range.first)
    member.range = undefined
  }
  const commitOf = (member: Member, seq: number) => {
    if (member.commit.seq !== seq) member.commit = { ...noCommit(), seq }
    return member.commit
  }
  return {
    all: members,
    giveUp,
    remove: (name: string, why: string) => {
      const member = members.get(name)
      if (!member) return
      members.delete(name)
      if (gone.size >= mostGone) gone.clear()
      gone.add(name)
      giveUp(member)
      log.warn({ process: name }, `An ingest process ${why}: gateways send to others.`)
      changed()
    },
    join: (name: string, theirs: Join) => {
      if (gone.has(name)) return
      const version = `${theirs.protocol} ${theirs.schema}`
      if (version !== `${protocol} ${schema}`) {
        if (foreign.size < 100 && !foreign.has(version)) log.warn(theirs, 'An ingest process of another version is not used')
        return void foreign.add(version)
      }
      const known = members.get(name)
      if (known) known.heardAt = now()
      if (known) return
      const times = { heardAt: now(), unheardAt: undefined, patience: heldMs }
      members.set(name, { ...times, range: undefined, commit: noCommit(), answered: undefined })
      changed()
    },
    rows: (name: string, seq: number, rows: readonly Stored[]) => {
      const member = members.get(name)
      const commit = member && commitOf(member, seq)
      if (commit && commit.rows.length + rows.length <= mostRows) for (const row of rows) commit.rows.push(row)
    },
    late: (name: string, { seq, late }: LateFrame) => {
      const member = members.get(name)
      const commit = member && commitOf(member, seq)
      if (commit && commit.late.length + late.length <= mostRows) for (const each of late) commit.late.push(each)
    },
    reserve: (name: string, { amount }: Reserve): Reserved => {
      const member = members.get(name)
      if (!member) return {}
      giveUp(member)
      const first = elsewhere.reserve(amount)
      member.range = { first, at: now() }
      return { first }
    },
    stored: (name: string, { seq, first, amount, counted, senders, ...sent }: StoredFrame): StoredAnswer => {
      const member = members.get(name)
      if (!member) return { isStored: false }
      if (member.answered?.seq === seq) return { isStored: member.answered.isStored }
      // Readings wait in memory for earlier ones: the process waits with more of them, unless the others wait for its own.
      if (amount && elsewhere.waiting() > mostWaiting && !elsewhere.isFirst(first)) return { again: 'full' }
      const { rows, late } = commitOf(member, seq)
      member.commit = noCommit()
      if (rows.length !== sent.rows || late.length !== sent.lates) return { again: 'lost' }
      const lately = late.map(([point, count, replaced]) => [point, { late: count, replaced }] as const)
      const isOwn = !amount || member.range?.first === first
      const isStored = isOwn && elsewhere.stored({ first, amount, live: numberRows(rows, first), counted, late: lately })
      if (isStored) for (const sn of senders) seen(sn)
      // Where all inserts are slow, storing readings twice would make them slower.
      const needed = 2 * (isStored && member.range ? now() - member.range.at : member.patience)
      member.patience = Math.min(longestHeldMs, Math.max(heldMs, needed))
      if (amount) member.range = undefined
      member.answered = { seq, isStored }
      return { isStored }
    },
  }
}
type Members = ReturnType<typeof openMembers>

/** Asks each process whether it is there, and removes those that are not. */
const watchMembers = (nats: Nats, members: Members, elsewhere: Elsewhere) => {
  const asking = new Set<string>()
  const ask = async (name: string, member: Member) => {
    asking.add(name)
    try {
      await nats.request(nats.subject('ingest', name, 'there'), '', times.silent)
      Object.assign(member, { heardAt: now(), unheardAt: undefined })
    } catch (error) {
      // Rejects at once where no process listens. Others listen, but do not answer.
      if (nats.connected() && (error as Error).message.includes('no responders')) member.unheardAt ??= now()
    }
    asking.delete(name)
  }
  return () => {
    for (const [name, member] of members.all) {
      if (!asking.has(name)) void ask(name, member)
      const { heardAt, unheardAt, range, patience } = member
      if (!nats.connected()) Object.assign(member, { heardAt: now(), unheardAt: undefined })
      else if (unheardAt !== undefined && now() - unheardAt > times.unheard) members.remove(name, 'has ended')
      else if (now() - heardAt > times.silent) members.remove(name, 'does not answer')
      else if (range && elsewhere.waiting() && now() - range.at > patience) members.giveUp(member)
    }
  }
}

export const serveIngest = ({ nats, owner, isOwner, ...options }: IngestMembersOptions) => {
  const { elsewhere, log } = options
  const members = openMembers(options)
  const startedAt = now()
  /** What each message brings about; an answer where one is expected. Without an answer, a process asks again. */
  const heard: Record<string, (name: string, data: Uint8Array) => object | undefined> = {
    join: (name, data) => void members.join(name, parse<Join>(data)),
    left: (name) => void members.remove(name, 'ends'),
    rows: (name, data) => {
      const { seq, rows } = decodeRows(data)
      return void members.rows(name, seq, rows)
    },
    late: (name, data) => void members.late(name, parse<LateFrame>(data)),
    reserve: (name, data) => (isOwner() ? members.reserve(name, parse<Reserve>(data)) : undefined),
    stored: (name, data) => (isOwner() ? members.stored(name, parse<StoredFrame>(data)) : undefined),
    keep: (_name, data) => {
      const { rejected } = parse<Keep>(data)
      try {
        elsewhere.keep(rejected)
      } catch (err) {
        // As for readings of this process: stored readings do not wait for a disk that is full.
        log.warn({ err }, 'Rejected readings could not be kept')
      }
      return {}
    },
  }
  const stop = nats.subscribe(nats.subject('storing', owner, '*', '*'), (data, answer, subject) => {
    const [token = '', name = ''] = subject.split('.').slice(-2)
    try {
      const reply = heard[token]?.(name, data)
      if (reply) answer(JSON.stringify(reply))
    } catch (err) {
      log.warn({ err, process: name, token }, 'A frame of an ingest process could not be read')
    }
  })
  const timer = setInterval(watchMembers(nats, members, elsewhere), times.ask)
  return {
    /** Undefined while processes may not have announced themselves yet. */
    names: () => (now() - startedAt > times.settled ? [...members.all.keys()].sort() : undefined),
    close: () => {
      clearInterval(timer)
      stop()
    },
  }
}
