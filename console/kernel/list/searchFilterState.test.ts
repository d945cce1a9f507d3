import '../../session/harness.ts'
import { beforeEach, expect, it } from 'vitest'
import { forgetSession } from '../../session/session.ts'
import { keepChosen, useSearchFilterState } from './searchFilterState.ts'

const now = () => useSearchFilterState.getState()
beforeEach(forgetSession)

it('[search-filter-state] keeps the project, region and department last chosen, each by itself, in the window', () => {
  expect(now()).toEqual({ projectData: null, regionData: null, departmentData: null })
  keepChosen('project', 7)
  keepChosen('region', 3)
  keepChosen('department', 12)
  keepChosen('project', 8)
  keepChosen('gateway', 5)
  expect(now()).toEqual({ projectData: 8, regionData: 3, departmentData: 12 })
  expect(JSON.parse(sessionStorage.getItem('penstock.searchFilter')!).state).toEqual(now())
})

it('[search-filter-state] leaves nothing of it to the next person', () => {
  keepChosen('department', 12)
  forgetSession()
  expect(now().departmentData).toBe(null)
  expect(sessionStorage.getItem('penstock.searchFilter')).not.toContain('12')
})
