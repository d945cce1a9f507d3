// Addresses with a meaning of their own (specification, section 2). docs/routes.md has a line for each.

/** What needs no sign-in; matched by whole segments, letter case aside (rulings 4 and 19). */
export const publicPaths: readonly string[] = [
  '/login',
  '/drxx',
  '/scripts',
  '/template',
  '/auth-redirect',
  '/projectManagement/monitor',
  '/draw',
  '/project/CommonHelper',
  '/drag',
  '/Cardexpiration',
  '/weixin',
  '/SMS',
  '/api',
  '/drawapp',
  '/map',
  '/mapMonitor',
]

const segments = (path: string) => path.toLowerCase().split('/').filter(Boolean)
const beginsWith = (path: string, place: string) => {
  const given = segments(path)
  return segments(place).every((segment, at) => given[at] === segment)
}

/** Files by which a domain is shown to be ours, such as /MP_verify_x1.txt. */
const isVerification = (path: string) => /^\/[\w-]+\.txt$/i.test(path)
export const isPublic = (path: string) => isVerification(path) || publicPaths.some((place) => beginsWith(path, place))

/** Screens of one project stand alone: without top bar, with the tenant's mark in the browser's tab. */
export const isProjectDetails = (path: string) => path.toLowerCase().includes('projectdetailsmanagement')

export const passwordPath = '/systemManagement/personal/password'
export const accountPath = '/systemManagement/personal/info'
export const questionPath = '/systemManagement/personal/question'
/** Kept out of the tab strip and out of what is kept. */
export const isApart = (path: string) => /^\/(404|401)$/.test(path) || beginsWith(path, '/redirect')
/** Read anew at each visit. */
export const isUncached = (path: string) => beginsWith(path, '/profile/index')

/** Where `/redirect/…` leads: the rest of the path, inside the console. */
export const redirectTarget = (path: string, search: string) => `/${path.replace(/^\/redirect\/*/i, '').replace(/^\/+/, '')}${search}`

/** Addresses whose purpose another screen serves: the first of `to` that the person has. A tenant's `Id` goes along as `id` says. */
export const servedElsewhere: Readonly<Record<string, { to: readonly string[]; needs?: string; id?: string; tab?: string }>> = {
  // The directory opens what `info/system` is; who has neither gets its first screen.
  '/systemManagement': { to: ['/systemManagement/info/platform', '/systemManagement/info/enterprise'] },
  '/systemManagement/info/system': { to: ['/systemManagement/info/platform', '/systemManagement/info/enterprise'] },
  '/systemManagement/roleauth': { to: ['/systemManagement/role'] },
  '/systemManagement/useauth': { to: ['/systemManagement/user'] },
  '/systemManagement/userManage': { to: ['/systemManagement/user'] },
  '/systemManagement/tenant/user': { to: ['/systemManagement/user'], needs: '/systemManagement/tenant/manage', id: 'EnterpriseId' },
  '/systemManagement/enterpriseManage/manage': { to: ['/systemManagement/tenant/manage'], id: 'Id', tab: 'managers' },
}

/** Where such an address leads somebody with these screens; none: there is nothing for him. */
export const elsewhere = (path: string, search: string, screens: readonly string[]): string | undefined => {
  const { to = [], needs, id, tab } = servedElsewhere[path] ?? {}
  const found = (!needs || screens.includes(needs)) && to.find((screen) => screens.includes(screen))
  if (!found) return
  const tenant = id && new URLSearchParams(search).get('Id')
  return tenant ? `${found}?${new URLSearchParams({ [id]: tenant, ...(tab ? { tab } : {}) })}` : found
}
