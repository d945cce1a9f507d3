import { type ReactNode, Suspense } from 'react'
import { useDemoDevices } from './useDemoDevices.ts'

/** Shows the content below the drawing once the drawing's height is known, so that nothing shifts. */
export const Settled = ({ children }: { children: ReactNode }) => (useDemoDevices().settled ? <Suspense>{children}</Suspense> : null)

/** Whether the reader sees the demo company's devices. */
export const useHasDemo = () => Boolean(useDemoDevices().devices?.size)
