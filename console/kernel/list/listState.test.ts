import { describe, expect, it } from 'vitest'
import { alarmInfo } from '../../../areas/alarms/alarms/contract.ts'
import { gateway } from '../../../areas/configuration/gateways/contract.ts'
import { flowchart } from '../../../areas/pictures/flowcharts/contract.ts'
import { filterFields, readState, searchedLength, toQuery, viewChanges, viewQuery } from './listState.ts'
import { cutText } from './useCut.ts'

const gateways = gateway
const alarms = alarmInfo

describe('the state of a list', () => {
  it('has defaults when the address says nothing or nonsense', () => {
    const state = readState(new URLSearchParams('page=-3&size=many'), [])
    expect(state).toEqual({ page: 1, size: 20, after: '', sort: '', search: '', filters: {} })
  })

  it('reads only filters it knows', () => {
    const state = readState(new URLSearchParams('OnlineStatus=1&Evil=1'), ['OnlineStatus'])
    expect(state.filters).toEqual({ OnlineStatus: '1' })
  })

  it('of two lists on one page does not mix', () => {
    const params = new URLSearchParams('page=2&net.page=5')
    expect(readState(params, [], 'net.').page).toBe(5)
    expect(readState(params, []).page).toBe(2)
  })

  it('[search-query-shape] becomes the query of the call; what the place fixes wins', () => {
    const state = readState(new URLSearchParams('sort=-SN&q=abc&ProjectId=2&OnlineStatus=1'), ['ProjectId', 'OnlineStatus'])
    expect(toQuery(gateways, state, { ProjectId: 7 })).toEqual({
      PageIndex: 1,
      PageSize: 20,
      MenuEncoding: 'm10102',
      OrderColumn: 'SN',
      OrderType: 'desc',
      Search: 'abc',
      QueryInfo: { RelOP: 1, QueryConditions: [{ Field: 'OnlineStatus', Value: '1', LogicOP: 2 }] },
      ProjectId: 7,
    })
    expect(toQuery(gateways, readState(new URLSearchParams(), []))).toEqual({ PageIndex: 1, PageSize: 20, MenuEncoding: 'm10102' })
  })

  it('[search-logicop] asks for text by 1, exactly by 2, and for a range of dates by 6 and 7', () => {
    const asked = (query: string) => {
      const names = ['GatewayName', 'ProjectId', 'CreateTime']
      return toQuery(gateways, readState(new URLSearchParams(query), names)).QueryInfo?.QueryConditions
    }
    expect(asked('GatewayName=pump&ProjectId=3')).toEqual([
      { Field: 'GatewayName', Value: 'pump', LogicOP: 1 },
      { Field: 'ProjectId', Value: '3', LogicOP: 2 },
    ])
    const from = { Field: 'CreateTime', Value: '2026-01-01', LogicOP: 6 }
    const to = { Field: 'CreateTime', Value: '2026-01-31', LogicOP: 7 }
    expect(asked('CreateTime=2026-01-01~2026-01-31')).toEqual([from, to])
    expect(asked('CreateTime=2026-01-01~')).toEqual([from])
    expect(asked('CreateTime=~2026-01-31')).toEqual([to])
  })

  it('leaves as a view without its page, and comes back from it', () => {
    const filters = ['OnlineStatus', 'ProjectId']
    const query = viewQuery(new URLSearchParams('net.page=3&net.q=a%26b&net.OnlineStatus=0&OnlineStatus=1&net.sort=-Id'), filters, 'net.')
    expect(query).toBe('q=a%26b&sort=-Id&OnlineStatus=0')
    expect(viewChanges(query, filters)).toEqual({ q: 'a&b', sort: '-Id', size: null, OnlineStatus: '0', ProjectId: null })
  })
})

describe('the search bar', () => {
  it('offers searchable choices and what the screen adds', () => {
    expect(filterFields(gateway, ['ProjectId'])).toEqual(['ProjectId', 'OnlineStatus', 'ConfigStatus'])
    expect(searchedLength(gateway)).toBeGreaterThan(0)
  })

  it('[search-field-types] offers ranges of dates where a screen asks for them or the field is searched', () => {
    expect(filterFields(alarms, ['CreateTime'])).toContain('CreateTime')
    expect(filterFields(alarms, ['Nonsense'])).not.toContain('Nonsense')
  })

  it('[search-input-cut] cuts text at 40 characters, whole ones', () => {
    expect(cutText('a'.repeat(41))).toHaveLength(40)
    expect(cutText('短文')).toBe('短文')
    expect([...cutText('😀'.repeat(50))]).toHaveLength(40)
  })

  it('[search-diagram-cut] names of pictures are searched by at most 25 characters, as long as they are', () => {
    expect(searchedLength(flowchart)).toBe(25)
    expect(flowchart.fields.FlowchartName.max).toBe(25)
  })
})
