// Special addresses (specification, section 2). docs/routes.md lists them.

/** Public paths. Whole segments match, letter case aside (rulings 4 and 19). */
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

/** Files that prove the ownership of a domain, such as /MP_verify_x1.txt. */
const isVerification = (path: string) => /^\/[\w-]+\.txt$/i.test(path)
export const isPublic = (path: string) => isVerification(path) || publicPaths.some((place) => beginsWith(path, place))

/** Screens of one project have no top bar, and the tenant's logo as favicon. */
export const isProjectDetails = (path: string) => path.toLowerCase().includes('projectdetailsmanagement')

export const passwordPath = '/systemManagement/personal/password'
export const accountPath = '/systemManagement/personal/info'
export const questionPath = '/systemManagement/personal/question'
/** Screens without a tab, which are not cached either. */
export const isApart = (path: string) => /^\/(404|401)$/.test(path) || beginsWith(path, '/redirect')
/** Screens that remount at each visit. */
export const isUncached = (path: string) => beginsWith(path, '/profile/index')

/** Target of `/redirect/…`: the rest of the path, inside the console. */
export const redirectTarget = (path: string, search: string) => `/${path.replace(/^\/redirect\/*/i, '').replace(/^\/+/, '')}${search}`

/** Addresses that another screen replaces: the first of `to` in the person's menus. `id` names the parameter for a tenant's `Id`. */
export const servedElsewhere: Readonly<Record<string, { to: readonly string[]; needs?: string; id?: string; tab?: string }>> = {
  // The directory opens the same screen as `info/system`, or its first screen without that permission.
  '/systemManagement': { to: ['/systemManagement/info/platform', '/systemManagement/info/enterprise'] },
  '/systemManagement/info/system': { to: ['/systemManagement/info/platform', '/systemManagement/info/enterprise'] },
  '/systemManagement/roleauth': { to: ['/systemManagement/role'] },
  '/systemManagement/useauth': { to: ['/systemManagement/user'] },
  '/systemManagement/userManage': { to: ['/systemManagement/user'] },
  '/systemManagement/tenant/user': { to: ['/systemManagement/user'], needs: '/systemManagement/tenant/manage', id: 'EnterpriseId' },
  '/energyLineManagement': { to: ['/energyLineManagement/energyOverView', '/energyLineManagement/energyCompare'] },
  '/projectManagement/pointTemplates': { to: ['/projectManagement/pointTempManagement'] },
  '/projectManagement/configTemplates': { to: ['/projectManagement/configTempManagement'] },
  '/projectManagement/protocolSetting': { to: ['/projectManagement/setProtocolPro', '/projectManagement/standardParam'] },
  '/projectManagement/productConfig': { to: ['/productSeries/ProductSeries'] },
  '/systemManagement/enterpriseManage/manage': { to: ['/systemManagement/tenant/manage'], id: 'Id', tab: 'managers' },
}

/** Target of such an address for a person with these screens; undefined without permission for any. */
export const elsewhere = (path: string, search: string, screens: readonly string[]): string | undefined => {
  const { to = [], needs, id, tab } = servedElsewhere[path] ?? {}
  const found = (!needs || screens.includes(needs)) && to.find((screen) => screens.includes(screen))
  if (!found) return
  const tenant = id && new URLSearchParams(search).get('Id')
  return tenant ? `${found}?${new URLSearchParams({ [id]: tenant, ...(tab ? { tab } : {}) })}` : found
}
