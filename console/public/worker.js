// Serves build files offline. The page (console/offline/install.ts) fills the cache; nothing is cached
// here, and API responses never pass through.
const name = 'penstock-build'
const page = '/console.html'
/** Network timeout after which the cached page is served, ms. */
const patience = 4000

addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))

const kept = async (path) => (await caches.open(name)).match(path)
const fromNetwork = async (request) => {
  const answer = fetch(request)
  const old = await kept(page)
  if (!old) return answer
  return Promise.race([answer, new Promise((done) => setTimeout(done, patience, old))]).catch(() => old)
}

addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin || pathname.startsWith('/api/')) return
  if (request.mode === 'navigate') event.respondWith(fromNetwork(request))
  else if (pathname.startsWith('/assets/')) event.respondWith(kept(pathname).then((file) => file ?? fetch(request)))
})
