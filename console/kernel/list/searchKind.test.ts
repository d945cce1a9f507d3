import { expect, it } from 'vitest'
import { alarmInfo } from '../../../areas/alarms/alarms/contract.ts'
import { resources } from '../../../areas/index.ts'
import { post } from '../../../areas/people/posts/contract.ts'
import type { Resource } from '../../../contract/resource.ts'
import { dateMode, searchKind } from './searchKind.ts'

const named = (name: string) => resources.find((r) => r.name === name)
const kindOf = (r: unknown, field: string) => searchKind((r as Resource).fields[field]!, named)

it('[search-field-types] each kind of field is searched by the type that fits it', () => {
  expect(kindOf(alarmInfo, 'RuleName')).toBe('autocomplete')
  expect(kindOf(alarmInfo, 'HandleDesc')).toBe('input')
  expect(kindOf(alarmInfo, 'AlarmLevel')).toBe('select')
  expect(kindOf(alarmInfo, 'IsActive')).toBe('select')
  expect(kindOf(alarmInfo, 'StartTime')).toBe('dates')
  expect(kindOf(alarmInfo, 'DeviceId')).toBe('dialog')
  expect(kindOf(post, 'BelongOrganId')).toBe('tree')
})

it('[search-field-types] distinguishes single days from ranges', () => {
  expect(dateMode(undefined)).toBe('date')
  expect(dateMode('2026-01-31~2026-01-31')).toBe('one')
  expect(dateMode('2026-01-01~2026-01-31')).toBe('date')
  expect(dateMode('~2026-01-31')).toBe('date')
})
