import type { Language } from '../../contract/index.ts'

/** Who acts, and what he may see: every query of a person carries one. */
export type Actor = {
  UserId: number
  EnterpriseId: number
  /** Platform administrators see every tenant. */
  platform: boolean
  /** Projects granted; there is no null that means everything. */
  projects: 'all' | readonly number[]
  /** Menu and button codes. */
  may: ReadonlySet<string>
  /** IANA name, for business times. */
  zone: string
  language: Language
  /** Id of the session; closes hub connections with it. */
  session: string
}
