import type { ReactNode } from 'react'
import { Failure } from '../../../../../console/kernel/Empty.tsx'
import { Waiting } from '../../../../../console/shell/Waiting.tsx'

type Props<T> = { of: { data: T | undefined; error: Error | null; refetch: () => unknown }; children: (data: T) => ReactNode }
/** What an answer shows, or why there is none. */
export const Answered = <T,>({ of: { data, error, refetch }, children }: Props<T>) =>
  data !== undefined ? children(data) : error ? <Failure fault={error} retry={() => refetch()} /> : <Waiting />
