import { invoke } from '../../../../console/session/request.ts'
import { showSystem } from '../../../../console/session/session.ts'
import { rememberLanguage } from '../../../../console/words/words.ts'

/** A tenant's sign-in page has its name, logo and language. Unknown links show the product's (ruling 34b). */
export const showTenantOf = async (link: string) => {
  const { enterpriseCalls } = await import('../../enterprises/contract.ts')
  const { SysName, Name, Logo, Language } = await invoke(enterpriseCalls.loginUrl, { query: { Slug: link.slice(0, 64) } })
  showSystem(SysName || Name, Logo)
  await rememberLanguage('company', Language)
}

/** Whether visitors can ask for an account, at this link or at all. */
export const isTrialOffered = async (link: string | null) => {
  const { trialCalls } = await import('../../trial-users/contract.ts')
  return (await invoke(trialCalls.offer, { query: link ? { Slug: link.slice(0, 64) } : {} })).Offered
}
