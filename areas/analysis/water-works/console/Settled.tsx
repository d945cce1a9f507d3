import { type ReactNode, Suspense } from 'react'
import { useDemoDevices } from './useDemoDevices.ts'

/** What is below the drawing comes when it is known how high that is, so that nothing moves. */
export const Settled = ({ children }: { children: ReactNode }) => (useDemoDevices().settled ? <Suspense>{children}</Suspense> : null)

/** Whether the demo company's devices are in sight. */
export const useHasDemo = () => Boolean(useDemoDevices().devices?.size)
