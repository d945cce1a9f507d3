import { invoke } from '../../../../console/session/request.ts'
import { showSystem } from '../../../../console/session/session.ts'
import { rememberLanguage } from '../../../../console/words/words.ts'

/** Shows the name, logo and language of the tenant's login page. Unknown links show the product's (ruling 34b). */
export const showTenantOf = async (link: string) => {
  const { enterpriseCalls } = await import('../../enterprises/contract.ts')
  const { SysName, Name, Logo, Language } = await invoke(enterpriseCalls.loginUrl, { query: { Slug: link.slice(0, 64) } })
  showSystem(SysName || Name, Logo)
  await rememberLanguage('company', Language)
}

/** Whether trial accounts are offered, at this link or in general. */
export const isTrialOffered = async (link: string | null) => {
  const { trialCalls } = await import('../../trial-users/contract.ts')
  return (await invoke(trialCalls.offer, { query: link ? { Slug: link.slice(0, 64) } : {} })).Offered
}
