// The token of a link is removed from the address bar after the first load, so that screenshots and copied addresses do not contain it.
const place = (path: string) => `penstock.share ${path.toLowerCase().replace(/\/+$/, '')}`

/** The token with which this page was opened, also after a reload. */
export const shareToken = (): string | undefined => {
  const { pathname, search, hash } = location
  const params = new URLSearchParams(search)
  const given = params.get('share')
  if (given !== null) {
    if (/^[\w-]{32}$/.test(given)) sessionStorage.setItem(place(pathname), given)
    else sessionStorage.removeItem(place(pathname))
    params.delete('share')
    history.replaceState(history.state, '', `${pathname}${params.size ? `?${params}` : ''}${hash}`)
  }
  return sessionStorage.getItem(place(pathname)) ?? undefined
}
