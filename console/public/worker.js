// Serves the files of the build without signal. They were put into the cache by the page (console/offline/install.ts); nothing is cached
// here, and answers of calls never pass through.
const name = 'penstock-build'
const page = '/console.html'
/** A line that answers no sooner counts as none, ms. */
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
