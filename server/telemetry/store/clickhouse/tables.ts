import type { ClickHouseClient } from '@clickhouse/client'
import { WrongServer } from './replicas.ts'

/** NaN represents null: aggregate functions of all versions skip neither, and argMax would skip a null. */
const table = `point UInt64, time Int64, value Float64, quality UInt8, n UInt64, live UInt8`

/** Shard of a server, and whether its tables are replicated. */
export type Place = { database: string; shard: number; of: number; replicated: boolean }

/**
 * Creates missing tables. Replicas share a ZooKeeper path by shard number. Throws WrongServer on a server
 * that holds another shard.
 */
export const prepare = async (client: ClickHouseClient, url: string, { database, shard, of, replicated }: Place) => {
  const ask = async <T>(query: string) => (await client.query({ query, format: 'JSONEachRow' })).json<T>()
  const [row] = await ask<{ version: string }>('SELECT version() AS version')
  const [major, minor] = row!.version.split('.').map(Number) as [number, number]
  const synced = major > 20 || (major === 20 && minor >= 10) ? ' SETTINGS fsync_after_insert = 1' : ''
  const partition = `PARTITION BY toYYYYMM(toDateTime(intDiv(time, 1000), 'UTC'))`
  const { host } = new URL(url)
  const engine = (name: string, version: string) =>
    replicated
      ? `ReplicatedReplacingMergeTree('/clickhouse/${database}/${shard}/${name}', '${host}', ${version})`
      : `ReplacingMergeTree(${version})`
  for (const query of [
    `CREATE DATABASE IF NOT EXISTS ${database}`,
    `CREATE TABLE IF NOT EXISTS ${database}.samples (${table}) ENGINE = ${engine('samples', 'n')} ${partition} ORDER BY (point, time)${synced}`,
    // The latest time of each point, maintained as rows arrive, so that a start needs no full scan.
    `CREATE TABLE IF NOT EXISTS ${database}.latest (${table}) ENGINE = ${engine('latest', 'time')} ORDER BY point`,
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.latest_feed TO ${database}.latest AS SELECT point, time, value, quality, n, live FROM ${database}.samples`,
    `CREATE TABLE IF NOT EXISTS ${database}.place (shard UInt16, shards UInt16) ENGINE = TinyLog`,
  ])
    await client.command({ query })
  const [held] = await ask<{ shard: number; shards: number }>(`SELECT shard, shards FROM ${database}.place LIMIT 1`)
  if (!held) await client.command({ query: `INSERT INTO ${database}.place VALUES (${shard}, ${of})` })
  else if (held.shard !== shard || held.shards !== of)
    throw new WrongServer(`${host} holds shard ${held.shard} of ${held.shards}, and is listed as shard ${shard} of ${of}`)
}

/** 18.16 fails on empty replicated tables with "Unknown log entry type". */
export const optimize = (command: (query: string) => Promise<unknown>, table: string) =>
  command(`OPTIMIZE TABLE ${table} FINAL`).catch((error: Error) => {
    if (!/Unknown log entry type/.test(error.message)) throw error
  })
