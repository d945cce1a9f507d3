import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Db } from '../../../../server/database/db.ts'
import { eachReading } from '../contract.ts'
import type { Due } from './accesses.ts'
import { type DeliveryNeeds, openDeliveries } from './deliveries.ts'

test('pages of readings for many receivers are read one at a time, and companies take turns', async () => {
  let [running, most] = [0, 0]
  const limits: number[] = []
  const asked: number[] = []
  const arrivals: DeliveryNeeds['telemetry']['arrivals'] = async (points, _n, _from, limit) => {
    most = Math.max(most, ++running)
    asked.push(points[0]!)
    limits.push(limit)
    await pause(1)
    running--
    return []
  }
  const telemetry = { arrivals } as unknown as DeliveryNeeds['telemetry']
  const { send } = openDeliveries({} as Db, { vault: { get: async () => undefined }, telemetry, allowed: () => true, clock: Date.now })
  const due = (EnterpriseId: number) => ({ Id: 1, EnterpriseId, Mode: eachReading, Cursor: 1, LostBefore: 0 }) as Due
  const point = (Id: number) => [{ Id, DeviceName: 'x', ParaName: 'x', Address: '0' }]
  await Promise.all([...Array.from({ length: 8 }, () => send(due(1), point(1))), send(due(2), point(2))])
  expect(most).toBe(1)
  expect(Math.max(...limits)).toBeLessThanOrEqual(5000)
  expect(asked.indexOf(2)).toBeLessThan(3)
})
