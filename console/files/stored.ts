import { useQuery } from '@tanstack/react-query'
import type { Answer } from '../../contract/call.ts'
import { type FilePurpose, fileCalls } from '../../contract/files.ts'
import { type Fault, invoke, queryString, request } from '../session/request.ts'

export type Stored = Answer<typeof fileCalls.upload>

/** Uploads one file. `menu`: only users with that menu can read it. The same `key` is the same file. */
export const sendFile = (file: File, purpose: FilePurpose, menu?: string, key?: string): Promise<Stored> => {
  const body = new FormData()
  body.append('file', file)
  return request('POST', `${fileCalls.upload.path}${queryString({ Purpose: purpose, MenuEncoding: menu, ClientKey: key })}`, body)
}

/** URL of a file: a signed address for stored files; anything else (data, other paths) unchanged. */
export const useFileUrl = (path: string | null | undefined): string | undefined => {
  const stored = path && /^(\/api\/)?files\//.test(path) ? path : undefined
  const { data } = useQuery<Answer<typeof fileCalls.sign>, Fault>({
    queryKey: [[], fileCalls.sign.path, stored],
    queryFn: () => invoke(fileCalls.sign, { query: { FilePath: stored! } }),
    enabled: stored !== undefined,
    // A signed address is valid for at least an hour.
    staleTime: 50 * 60_000,
    refetchInterval: 50 * 60_000,
  })
  return stored ? data?.Url : (path ?? undefined)
}
