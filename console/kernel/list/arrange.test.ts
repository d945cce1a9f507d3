import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gateway } from '../../../areas/configuration/gateways/contract.ts'
import { arrange, isVirtual, moved, shown, toColumns } from './arrange.ts'

const r = gateway
const own = ['GatewayName', 'SN', 'OnlineStatus']
const names = (list: { Field: string }[]) => list.map((c) => c.Field)

describe('[table-prefs] the columns of a list', () => {
  it('are those of the screen, its first one frozen, until the person arranges them', () => {
    const all = arrange(r, own, [])
    expect(names(shown(all))).toEqual(own)
    expect(all[0]).toEqual({ Field: 'GatewayName', Width: null, Fixed: 'left', Visible: 1 })
    expect(names(all)).toContain('ProjectId')
  })

  it('return as they were left, new ones last, missing ones left out', () => {
    const kept = [
      { Field: 'SN', Width: 120, Fixed: null, Visible: 1, Sort: 0 },
      { Field: 'Gone', Visible: 1, Sort: 1 },
      { Field: 'GatewayName', Width: null, Fixed: null, Visible: 0, Sort: 2 },
    ]
    const all = arrange(r, own, kept)
    expect(names(shown(all))).toEqual(['SN', 'OnlineStatus'])
    expect(all[0]).toMatchObject({ Width: 120 })
    expect(names(all)).not.toContain('Gone')
  })

  it('frozen ones stick to their edge', () => {
    const all = arrange(r, own, []).map((c) => (c.Field === 'OnlineStatus' ? { ...c, Fixed: 'left' as const } : c))
    expect(names(shown(all))).toEqual(['GatewayName', 'OnlineStatus', 'SN'])
  })

  it('never all go', () => {
    const none = arrange(r, own, []).map((c, Sort) => ({ ...c, Visible: 0, Sort }))
    expect(shown(arrange(r, own, none))).toHaveLength(1)
  })
})

it('moving a column keeps all of them', () => {
  const order = fc.array(fc.nat(30), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(order, fc.nat(20), fc.integer({ min: -3, max: 20 }), (list, from, to) => {
      expect(moved(list, from % list.length, to).sort()).toEqual([...list].sort())
    }),
  )
})

it('what is kept is what was shown', () => {
  fc.assert(
    fc.property(fc.nat(2), fc.nat(2), (from, to) => {
      const all = moved(arrange(r, own, []), from, to)
      expect(arrange(r, own, toColumns(all))).toEqual(all)
    }),
  )
})

it('draws only the rows in sight of long pages', () => {
  expect([isVirtual(20), isVirtual(100), isVirtual(200), isVirtual(1000)]).toEqual([false, false, true, true])
})
