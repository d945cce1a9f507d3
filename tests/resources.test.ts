import { afterAll, expect, it } from 'vitest'
import { calls, resources } from '../areas/index.ts'
import { maker } from '../main/testing/drafts.ts'
import { furnish } from '../main/testing/kit.ts'
import { conformance, serving } from './conformance.ts'
import { figuresSuite } from './figures.suite.ts'
import { startHouse } from './house.ts'
import { settingsSuite } from './settings.suite.ts'

// The whole server, so that what an area serves with its engine is tested as well.
const house = await startHouse({ PENSTOCK_CALLS_PER_SECOND: '100000' })
const kit = await furnish({ ...house, adminUrl: house.databaseUrl })
const make = maker(kit)
afterAll(() => kit.close())
settingsSuite(kit, make)
figuresSuite(kit, make)

it.each(resources)('$name is served', (r) => {
  // What no call returns is no part of the contract.
  const paths = calls.map((c) => c.path)
  const serves = serving(kit)
  expect(serves(r, 'list') || serves(r, 'find') || paths.some((path) => path.startsWith(r.path))).toBe(true)
})

conformance(kit, resources)
