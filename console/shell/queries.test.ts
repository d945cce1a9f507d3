import { MutationObserver } from '@tanstack/react-query'
import i18next from 'i18next'
import { expect, it, vi } from 'vitest'

vi.hoisted(() => vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }))

import { Fault } from '../session/request.ts'
import { onFault, queryClient } from './queries.ts'

it('[suppressed-no-toast] [err-toast] a failed write is reported, unless its screen shows the result or the session is over', async () => {
  await i18next.init({ lng: 'en', resources: { en: { translation: { gateway: 'Gateway', alarmRule: 'Alarm rule' } } } })
  const told: string[] = []
  onFault((text) => told.push(text))
  const failing = (fault: Fault, meta = {}) =>
    new MutationObserver(queryClient, { mutationFn: () => Promise.reject(fault), meta }).mutate().catch(() => undefined)
  await failing(new Fault(409, 'Taken'))
  const used = (Resource: string, Title: string) => ({ Resource, Id: 3, Title })
  const UsedBy = [used('gateway', 'North'), used('alarmRule', 'Overflow'), used('gateway', 'South')]
  await failing(new Fault(409, 'Still in use', { UsedBy } as never))
  expect(told).toEqual(['Taken', 'Still in use (Gateway: North, South; Alarm rule: Overflow)'])
  await failing(new Fault(400, 'Not good', {}, true))
  await failing(new Fault(409, 'Taken'), { quiet: true })
  await failing(new Fault(401, 'Over'))
  await failing(new Fault(205, 'Elsewhere'))
  expect(told).toHaveLength(2)
})
