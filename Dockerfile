# One image for every process; compose names the command of each. Without one it is the standalone system on embedded parts.

FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci
RUN npm run build
RUN npm prune --omit=dev \
  && rm -rf libs/*/src services/*/src gateway/src gateway/web/src gateway/web/*.* .build \
  && find . -path ./node_modules -prune -o \( -name '*.d.ts' -o -name '*.map' -o -name '.tsbuildinfo' -o -name 'tsconfig*.json' \) -type f -print0 | xargs -0 rm -f

FROM node:22-bookworm-slim
WORKDIR /app
# Volumes take over the owner of these folders when they are new.
RUN mkdir /data /secrets && for name in main auth user payment mailer gateway simulator mongo mongo-init migrate rabbitmq; do mkdir "/secrets/$name"; done \
  && mkdir /run/latchkey && chown -R node:node /data /secrets /run/latchkey
COPY --from=build /app /app
USER node
ENV HOST=0.0.0.0 DATA_DIR=/data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "scripts/healthcheck.mjs", "http://127.0.0.1:3000/readyz"]
CMD ["node", "services/standalone/dist/bundled.main.js"]
