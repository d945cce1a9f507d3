import { useQuery } from '@tanstack/react-query'
import type { Answer } from '../../contract/call.ts'
import { type FilePurpose, fileCalls } from '../../contract/files.ts'
import { type Fault, invoke, queryString, request } from '../session/request.ts'

export type Stored = Answer<typeof fileCalls.upload>

/** Sends one file. `menu`: only who may see that screen may read it. The same `key` is the same file. */
export const sendFile = (file: File, purpose: FilePurpose, menu?: string, key?: string): Promise<Stored> => {
  const body = new FormData()
  body.append('file', file)
  return request('POST', `${fileCalls.upload.path}${queryString({ Purpose: purpose, MenuEncoding: menu, ClientKey: key })}`, body)
}

/** Where pages find a file: what is stored here by its signed address, anything else (data, other paths) as it is. */
export const useFileUrl = (path: string | null | undefined): string | undefined => {
  const stored = path && /^(\/api\/)?files\//.test(path) ? path : undefined
  const { data } = useQuery<Answer<typeof fileCalls.sign>, Fault>({
    queryKey: [[], fileCalls.sign.path, stored],
    queryFn: () => invoke(fileCalls.sign, { query: { FilePath: stored! } }),
    enabled: stored !== undefined,
    // An address holds for an hour at least.
    staleTime: 50 * 60_000,
    refetchInterval: 50 * 60_000,
  })
  return stored ? data?.Url : (path ?? undefined)
}
