// The token of a link leaves the address bar after the first load: it is not in screenshots, nor in what is copied from there.
const place = (path: string) => `penstock.share ${path.toLowerCase().replace(/\/+$/, '')}`

/** The token that this page was opened with, now or before it was loaded again. */
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
