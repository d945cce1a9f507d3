import type { ReactNode } from 'react'
import { useCall } from '../../../../console/kernel/api.ts'
import { agentCalls } from '../contract.ts'
import { AreaMap } from './AreaMap.tsx'

type Props = { children: ReactNode }

export const MapBelow = ({ children }: Props) => (
  <>
    {children}
    <AreaMap />
  </>
)

export const CountsAbove = ({ children }: Props) => {
  const { data } = useCall(agentCalls.positions, { of: ['snAgent', 'gatewayPosition'] })
  return (
    <>
      <AreaMap counts={data ?? []} />
      {children}
    </>
  )
}
