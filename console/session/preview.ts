// The console as seen by a role, only in this browser tab: the server answers as to that role and refuses changes.
const place = 'penstock.asRole'

export type Previewed = { Id: number; RoleName: string }

export const previewed = (): Previewed | undefined => {
  try {
    return (JSON.parse(sessionStorage.getItem(place) ?? 'null') as Previewed | null) ?? undefined
  } catch {
    return undefined
  }
}

/** Reloads everything: menus, rows, live connection. */
export const previewRole = (role: Previewed) => {
  sessionStorage.setItem(place, JSON.stringify(role))
  location.assign('/')
}
export const forgetPreview = () => sessionStorage.removeItem(place)
export const leavePreview = () => {
  forgetPreview()
  location.assign('/systemManagement/role')
}
