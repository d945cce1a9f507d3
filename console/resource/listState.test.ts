import { describe, expect, it } from 'vitest'
import { gateway } from '../../contract/areas/gateways.ts'
import { filterFields, readState, searchesText, toQuery } from './listState.ts'

describe('the state of a list', () => {
  it('has defaults when the address says nothing or nonsense', () => {
    const state = readState(new URLSearchParams('page=-3&size=many'), [])
    expect(state).toEqual({ page: 1, size: 20, sort: '', search: '', filters: {} })
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

  it('becomes the query of the call, fixed conditions last', () => {
    const state = readState(new URLSearchParams('sort=-SN&q=abc&ProjectId=2'), ['ProjectId'])
    expect(toQuery(state, { ProjectId: 7 })).toEqual({
      PageIndex: 1,
      PageSize: 20,
      OrderColumn: 'SN',
      OrderType: 'desc',
      Search: 'abc',
      ProjectId: 7,
    })
  })
})

describe('the search bar', () => {
  it('offers searchable choices and what the screen adds', () => {
    expect(filterFields(gateway, ['ProjectId'])).toEqual(['ProjectId', 'OnlineStatus', 'ConfigStatus'])
    expect(searchesText(gateway)).toBe(true)
  })
})
